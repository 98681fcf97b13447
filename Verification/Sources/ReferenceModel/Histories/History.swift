public import DeliveryModel
internal import Foundation

/// What a few clients post about a few notifications of one or two apps.
public struct History: Sendable {
    enum Step: Sendable {
        case post(HistoryRequest)
        case register(HistoryRegistration)
        /// Maintenance adds counters of quarter hours before this instant up to days.
        case fold(before: Instant)
    }

    public let seed: UInt64
    /// The day before which all pushes were sent; validators take it for now.
    public let now: Instant
    let appCount: Int
    /// Posted one request after the other, so that every verdict is known; otherwise all at once, and some twice.
    let isSequential: Bool
    /// Where all is posted at once, devices register at the same time; otherwise before.
    let registersMeanwhile: Bool
    let devices: [HistoryDevice]
    var steps: [Step]

    var requests: [HistoryRequest] {
        steps.compactMap { step in
            guard case .post(let request) = step else { return nil }
            return request
        }
    }

    var folds: [Instant] {
        steps.compactMap { step in
            guard case .fold(let before) = step else { return nil }
            return before
        }
    }

    /// The same with counters folded behind each request: what others that are played at the same time may do to it.
    func folding(before: Instant) -> History {
        var history = self
        history.steps = steps.flatMap { step -> [Step] in
            guard case .post = step else { return [step] }
            return [step, .fold(before: before)]
        }
        return history
    }

    public var itemCount: Int { requests.reduce(0) { $0 + $1.items.count } }
}

/// A device of a history, the same in each of its apps.
struct HistoryDevice: Sendable {
    let deviceID: UUID
    let token: String

    static let topic = "com.example.shop"
}

extension History: CustomStringConvertible {
    /// One line per request and item, as they are posted.
    public var description: String {
        let lines = steps.flatMap { step -> [String] in
            switch step {
            case .register(let registration):
                [
                    "app \(registration.app): device \(registration.device) registers \(registration.traits.words)"
                ]
            case .post(let request):
                ["app \(request.app): POST as \(request.isByDevice ? "device" : "server")"]
                    + request.items.map { "    \($0.text)" }
            case .fold(let before):
                ["counters before \(before.rfc3339) are folded"]
            }
        }
        let order =
            isSequential
            ? "one after the other"
            : "all at once, devices registered \(registersMeanwhile ? "meanwhile" : "before"), folded behind answers"
        return "seed \(seed), now \(now.rfc3339), posted \(order)\n" + lines.joined(separator: "\n")
    }
}
