import Foundation
import Simulation

/// Traffic that the tests share, generated once.
enum SimulationSample {
    /// Sunday, 1 March 2026, 18:00 UTC: the window touches two days.
    static let start: Int64 = 1_772_388_000_000
    static let usual = TrafficSimulation.generate(SimulationSettings(start: start))
    static let usualEvents = decoded(usual.events)

    static func small(seed: UInt64, hours: Int = 24, campaigns: Int = 6, lateEventHours: Int = 48)
        -> SimulatedTraffic
    {
        TrafficSimulation.generate(
            SimulationSettings(
                seed: seed, start: start, hours: hours, installations: 400, campaigns: campaigns,
                lateEventHours: lateEventHours))
    }

    static func decoded(_ lines: [[UInt8]]) -> [PostedEvent] {
        lines.compactMap(PostedEvent.init)
    }
}

/// An event or a body as read from its bytes alone.
struct PostedEvent: Sendable {
    /// Booleans are numbers: 0 and 1.
    enum Value: Hashable, Sendable {
        case text(String)
        case number(Int64)
        case list
    }

    private static let style = Date.ISO8601FormatStyle(
        timeZoneSeparator: .colon, includingFractionalSeconds: true)

    let fields: [String: Value]
    /// The tokens of a registration.
    let tokens: [[String: String]]

    init?(_ line: [UInt8]) {
        guard let object = try? JSONSerialization.jsonObject(with: Data(line)),
            let members = object as? [String: Any]
        else { return nil }
        fields = members.mapValues { member in
            if let text = member as? String { return .text(text) }
            return (member as? NSNumber).map { .number($0.int64Value) } ?? .list
        }
        tokens = members["tokens"] as? [[String: String]] ?? []
    }

    var type: String { text("type") ?? "" }
    var id: String { text("notification_id")?.lowercased() ?? "" }
    var status: Int { number("status") ?? -1 }
    var reason: String? { text("reason") }
    var isVersionSeven: Bool { id.dropFirst(14).first == "7" }
    var isAccepted: Bool { type == "response" && (200..<300).contains(status) }
    var token: String { text("token")?.lowercased() ?? "" }
    var tokenKey: String {
        [text("environment") ?? "production", text("topic") ?? "", token].joined(separator: "|")
    }

    func text(_ name: String) -> String? {
        guard case .text(let text) = fields[name] else { return nil }
        return text
    }

    func number(_ name: String) -> Int? {
        guard case .number(let number) = fields[name] else { return nil }
        return Int(number)
    }

    /// Unix milliseconds of a field in either notation.
    func instant(_ name: String) -> Int64? {
        if let number = number(name) { return Int64(number) }
        guard let text = text(name) else { return nil }
        let date = try? Date(text, strategy: Self.style)
        return date.map { Int64(($0.timeIntervalSince1970 * 1_000).rounded()) }
    }

    /// The time of sending, from the id if it has one.
    var sentAt: Int64? {
        guard isVersionSeven else { return instant("sent_at") }
        return Int64(id.replacingOccurrences(of: "-", with: "").prefix(12), radix: 16)
    }
}
