import Basics

/// A request of a client that has taken the device key out of the app. What it claims never happened.
struct ForgedRequest: Equatable, Sendable {
    enum Kind: CaseIterable {
        /// Clicks on notifications of the window that were never sent.
        case clicks
        /// Installations that do not exist.
        case registrations
        /// Invalid items, 100 kB per request.
        case fillers
        /// One click for each of 400 days before the window.
        case oldDays
    }

    let kind: Kind
    /// The path's device, for a registration.
    let deviceID: String?
    /// A registration, or one event per line.
    let body: [UInt8]
    let itemCount: Int
}

/// A client that posts whatever a device key allows.
struct StolenKey {
    private let window: Range<Int64>
    private var random = SeededRandom(seed: 1, stream: .max)

    private init(_ window: Range<Int64>) {
        self.window = window
    }

    /// Its requests, in the order in which it posts them. Each stays within the limits of a device's request.
    ///
    /// - Parameter window: when the real notifications are sent, Unix milliseconds.
    static func requests(during window: Range<Int64>) -> [ForgedRequest] {
        var attacker = StolenKey(window)
        var requests: [ForgedRequest] = []
        for _ in 0..<100 { requests.append(attacker.clicks()) }
        for _ in 0..<200 { requests.append(attacker.registration()) }
        for _ in 0..<20 { requests.append(attacker.fillers()) }
        for first in stride(from: Int64(1), to: 401, by: 50) { requests.append(attacker.oldDays(first)) }
        return requests.shuffled(using: &attacker.random)
    }

    private mutating func clicks() -> ForgedRequest {
        var clicks: [String] = []
        for _ in 0..<50 {
            let sentAt = Int64.random(in: window, using: &random)
            clicks.append(click(sentAt: sentAt))
        }
        return Self.events(.clicks, clicks)
    }

    private mutating func oldDays(_ first: Int64) -> ForgedRequest {
        let days = first..<first + 50
        return Self.events(
            .oldDays, days.map { click(sentAt: window.lowerBound - 86_400_000 * (14 + $0)) })
    }

    private mutating func fillers() -> ForgedRequest {
        Self.events(
            .fillers, (0..<50).map { _ in #"{"type":"filler","text":"\#(random.hexDigits(2_000))"}"# })
    }

    private mutating func registration() -> ForgedRequest {
        let token = #"{"value":"\#(random.hexDigits(64))","kind":"alert","topic":"com.example.shop"}"#
        let beginning = random.hexDigits(12)
        return ForgedRequest(
            kind: .registrations, deviceID: id(beginning, version: 4),
            body: Array(#"{"platform":"ios","tokens":[\#(token)]}"#.utf8), itemCount: 1)
    }

    private mutating func click(sentAt: Int64) -> String {
        let digits = String(sentAt, radix: 16)
        let beginning = String(repeating: "0", count: 12 - digits.count) + digits
        return #"{"type":"click","notification_id":"\#(id(beginning, version: 7))"}"#
    }

    /// - Parameter beginning: the first 48 bits, in hexadecimal; those of a version 7 id are its time.
    private mutating func id(_ beginning: String, version: Int) -> String {
        let (middle, end) = (random.hexDigits(3), random.hexDigits(15))
        let low = "8\(end.prefix(3))-\(end.suffix(12))"
        return "\(beginning.prefix(8))-\(beginning.suffix(4))-\(version)\(middle)-\(low)"
    }

    private static func events(_ kind: ForgedRequest.Kind, _ events: [String]) -> ForgedRequest {
        ForgedRequest(
            kind: kind, deviceID: nil, body: Array(events.joined(separator: "\n").utf8),
            itemCount: events.count)
    }
}
