public import DeliveryModel
internal import Foundation

/// The requests of a few clients about a few notifications of one or two apps.
public struct History: Sendable {
    enum Step: Sendable {
        case post(HistoryRequest)
        case register(HistoryRegistration)
        /// Maintenance adds up the counters of quarter hours before this instant by day.
        case fold(before: Instant)
    }

    public let seed: UInt64
    /// The day before this instant is when all pushes were sent; validators use it as the current time.
    public let now: Instant
    let appCount: Int
    /// If true, requests are posted one after the other, so that every verdict is known; otherwise all at
    /// once, and some twice.
    let isSequential: Bool
    /// If all requests are posted at once: whether devices register at the same time instead of before.
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

    /// The same history with counters folded after each request, as other histories played at the same time
    /// may do.
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

    /// A token as its provider writes it: those of APNs are hex digits, and those of FCM are not.
    static func value(_ token: String, of provider: String) -> String {
        provider == "fcm" ? "f:\(token)" : token
    }
}

extension History: CustomStringConvertible {
    /// One line per request and item, in the order of posting.
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
            : "all at once, devices registered \(registersMeanwhile ? "meanwhile" : "before"), folded behind responses"
        return "seed \(seed), now \(now.rfc3339), posted \(order)\n" + lines.joined(separator: "\n")
    }
}
