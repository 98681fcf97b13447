internal import Access
internal import DeliveryModel
internal import Foundation
internal import Instants
internal import PostgresClient
internal import SQLFiles

/// Finds the subject of a story and its app.
struct StorySearch {
    let connection: PostgresConnection

    /// A token and its app.
    struct Found: Hashable, Sendable {
        let appID: Int64
        let tokenID: Int64
    }

    /// The ways to name a token.
    enum TokenName: Hashable, Sendable {
        case tokenID(Int64)
        /// The first hex digits of a fingerprint, in lower case; 64 are a complete one.
        case fingerprint(String)
    }

    /// The tokens of these apps that match the name; at most 10.
    func tokens(named name: TokenName, appIDs: [Int64]) throws -> [Found] {
        let rows =
            switch name {
            case .tokenID(let tokenID):
                try connection.query(.Stories.findTokenById, [.array(appIDs), .value(tokenID)])
            case .fingerprint(let digits):
                try connection.query(
                    .Stories.findTokens,
                    [
                        .array(appIDs), .value(Self.bytes(digits, filledWith: "0")),
                        .value(Self.bytes(digits, filledWith: "f")), .value(Int64(10)),
                    ])
            }
        return try rows.map { Found(appID: try $0.get("app_id"), tokenID: try $0.get("token_id")) }
    }

    /// The names of the apps that have this device.
    func apps(ofDevice deviceID: UUID) throws -> [String] {
        let apps = try AppDirectory(connection).apps()
        let rows = try connection.query(
            .Stories.appsOfDevice, [.array(apps.map(\.appID)), .value(deviceID)])
        return try Self.names(rows, among: apps)
    }

    /// The names of the apps that have this notification.
    func apps(ofNotification notificationID: UUID, now: Instant) throws -> [String] {
        let apps = try AppDirectory(connection).apps()
        let span = try sendingTimes(of: notificationID, now: now)
        let rows = try connection.query(
            .Stories.appsOfNotification,
            [
                .array(apps.map(\.appID)), .value(notificationID), .value(span.lowerBound),
                .value(span.upperBound),
            ])
        return try Self.names(rows, among: apps)
    }

    /// The times at which a notification can have been sent. For a version 7 id: the time in the
    /// id, and those of the pointers from there. Any other id may be from any day that is kept.
    func sendingTimes(of notificationID: UUID, now: Instant) throws -> ClosedRange<Instant> {
        guard let idTime = notificationID.versionSevenInstant else {
            return Self.keptSince(now)...(now + .days(2))
        }
        let times: [Instant] = try connection.query(
            .Stories.pointers, [.value(notificationID), .value(idTime)]
        ).column("sent_at")
        return times.reduce(idTime...idTime) { min($0.lowerBound, $1)...max($0.upperBound, $1) }
    }

    /// The earliest time to search: ten times the standard retention ago.
    static func keptSince(_ now: Instant) -> Instant {
        now - Span(milliseconds: 10 * Span.standardRetention.milliseconds)
    }

    /// The instant before which notifications were dropped; `nil` if none were.
    func keptFrom() throws -> Instant? {
        try connection.query(.Ingestion.keptFrom).first?.get("kept_from")
    }

    private static func names(_ rows: PostgresRows, among apps: [App]) throws -> [String] {
        let appIDs = Set(try rows.map { try $0.get("app_id", as: Int64.self) })
        return apps.filter { appIDs.contains($0.appID) }.map(\.slug)
    }

    /// 32 bytes from up to 64 hex digits.
    private static func bytes(_ digits: String, filledWith digit: Character) -> [UInt8] {
        let whole = Array(digits.prefix(64)) + Array(repeating: digit, count: max(0, 64 - digits.count))
        return stride(from: 0, to: 64, by: 2).map { position in
            UInt8(String(whole[position...position + 1]), radix: 16) ?? 0
        }
    }
}
