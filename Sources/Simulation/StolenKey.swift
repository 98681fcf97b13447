internal import Documents
public import Foundation
internal import SeededRandom

/// A request of a client that has taken the device key out of the app. What it says never happened.
public struct ForgedRequest: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        /// Clicks on notifications of the window that were never sent.
        case clicks
        /// Installations that do not exist.
        case registrations
        /// Invalid items, 100 kB per request.
        case fillers
        /// One click for each of 400 days before the window.
        case oldDays = "old days"
    }

    public let kind: Kind
    /// The path's device, for a registration.
    public let deviceID: UUID?
    /// A registration, or one event per line.
    public let body: [UInt8]
    public let itemCount: Int
}

/// A client that posts whatever a device key allows.
struct StolenKey {
    private let settings: SimulationSettings
    private var random: SeededRandom

    /// Its requests, in the order in which it posts them. They stay within what a single request of a device may contain.
    static func requests(_ settings: SimulationSettings) -> [ForgedRequest] {
        var attacker = StolenKey(
            settings: settings, random: SeededRandom(seed: settings.seed, stream: .max))
        var requests: [ForgedRequest] = []
        for _ in 0..<100 { requests.append(attacker.clicks()) }
        for _ in 0..<200 { requests.append(attacker.registration()) }
        for _ in 0..<20 { requests.append(attacker.fillers()) }
        for first in stride(from: Int64(1), to: 401, by: 50) { requests.append(attacker.oldDays(first)) }
        for last in requests.indices.dropFirst().reversed() {
            requests.swapAt(last, attacker.random.below(last + 1))
        }
        return requests
    }

    private mutating func clicks() -> ForgedRequest {
        Self.events(.clicks, (0..<50).map { _ in click(at: random.instant(in: settings.window)) })
    }

    private mutating func oldDays(_ first: Int64) -> ForgedRequest {
        Self.events(.oldDays, (first..<first + 50).map { click(at: settings.start - .hours(24 * (14 + $0))) })
    }

    private mutating func fillers() -> ForgedRequest {
        Self.events(
            .fillers,
            (0..<50).map { _ in ["type": "filler", "text": .string(random.hexDigits(2_000))] })
    }

    private mutating func click(at instant: Int64) -> JSONValue {
        [
            "type": "click",
            "notification_id": .string(UniqueID.versionSeven(at: instant, &random).text),
        ]
    }

    private mutating func registration() -> ForgedRequest {
        let token: JSONValue = [
            "value": .string(random.hexDigits(64)), "kind": "alert", "topic": .string(settings.topic),
        ]
        let body: JSONValue = ["platform": "ios", "tokens": [token]]
        return ForgedRequest(
            kind: .registrations, deviceID: UniqueID.versionFour(&random).uuid,
            body: Array(body.lineText.utf8), itemCount: 1)
    }

    private static func events(_ kind: ForgedRequest.Kind, _ events: [JSONValue]) -> ForgedRequest {
        ForgedRequest(
            kind: kind, deviceID: nil, body: Array(events.map(\.lineText).joined(separator: "\n").utf8),
            itemCount: events.count)
    }
}
