import Foundation

@testable import LandfallApp
@testable import LandfallCore

/// A network that responds as a test says, and remembers the requests.
final class Network: Transport {
    private let requests = Locked<[Request]>([])
    private let respond: @Sendable (Request, _ number: Int) -> Response?

    /// - Parameter respond: `number` counts from 0.
    init(_ respond: @escaping @Sendable (Request, _ number: Int) -> Response?) {
        self.respond = respond
    }

    /// A server that records everything.
    static func recordingAll() -> Network { Network { request, _ in .recorded(request.items.count) } }

    var sent: [Request] { requests.use { $0 } }
    var items: [[String: Any]] { sent.flatMap(\.items) }

    func send(_ request: Request, within seconds: TimeInterval) async -> Response? {
        let number = requests.use { requests in
            requests.append(request)
            return requests.count - 1
        }
        return respond(request, number)
    }
}

extension Request {
    /// The items of a post, if it is not compressed.
    var items: [[String: Any]] {
        ((try? JSONSerialization.jsonObject(with: body ?? Data())) as? [[String: Any]]) ?? []
    }

    var fields: [String: Any] {
        ((try? JSONSerialization.jsonObject(with: body ?? Data())) as? [String: Any]) ?? [:]
    }
}

extension Response {
    static func recorded(_ accepted: Int, duplicates: Int = 0, rejected codes: [String] = []) -> Response {
        let errors = codes.enumerated().map { #"{"index":\#($0),"code":"\#($1)"}"# }.joined(separator: ",")
        let text =
            #"{"accepted":\#(accepted),"duplicates":\#(duplicates),"rejected":\#(codes.count),"errors":[\#(errors)]}"#
        return Response(status: 200, body: Data(text.utf8))
    }

    /// As a network that is not Landfall's might say.
    static func counts(_ accepted: Int, _ duplicates: Int, _ rejected: Int) -> Response {
        let text = #"{"accepted":\#(accepted),"duplicates":\#(duplicates),"rejected":\#(rejected)}"#
        return Response(status: 200, body: Data(text.utf8))
    }

    static func problem(_ status: Int, _ code: String, retryAfter: Int? = nil) -> Response {
        Response(
            status: status, retryAfter: retryAfter,
            body: Data(#"{"status":\#(status),"code":"\#(code)"}"#.utf8))
    }

    static func page(_ status: Int) -> Response {
        Response(status: status, body: Data("<html>Welcome to our café. Please sign in.</html>".utf8))
    }
}

/// A clock that a test sets.
final class HandClock: Sendable {
    private let time: Locked<Int64>

    init(_ time: Int64 = 1_772_000_000_000) {
        self.time = Locked(time)
    }

    var now: Int64 {
        get { time.use { $0 } }
        set { time.use { $0 = newValue } }
    }

    var clock: WallClock { { self.now } }
}

func payload(_ number: Int) -> [AnyHashable: Any] {
    ["aps": ["alert": "Hi"], "landfall": ["id": id(number)]]
}

func id(_ number: Int) -> String {
    let digits = String(number)
    return "018f3c2a-0000-7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
}
