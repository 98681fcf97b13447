internal import DeliveryModel
internal import Foundation
internal import PostgresClient

/// The database's content for some apps.
struct Recorded: Sendable {
    struct Key: Hashable, Sendable {
        let appID: Int64
        let row: RowName
    }

    struct CounterKey: Hashable, Sendable, CustomStringConvertible {
        let appID: Int64
        /// Milliseconds since 1970.
        let quarter: Int64
        let campaign: String
        let variant: String

        var description: String { "app_id \(appID), quarter \(quarter), campaign \(campaign)/\(variant)" }
    }

    struct UnmatchedKey: Hashable, Sendable, CustomStringConvertible {
        let appID: Int64
        let quarter: Int64

        var description: String { "app_id \(appID), quarter \(quarter)" }
    }

    /// More than one row per notification would be an error.
    private(set) var notifications: [Key: [RecordedNotification]] = [:]
    private(set) var counters: [CounterKey: [String: Int64]] = [:]
    private(set) var unmatched: [UnmatchedKey: [String: Int64]] = [:]
    private(set) var facts = RecordedFacts()
    /// Received, accepted, duplicates, rejected.
    private(set) var intake: [Int64: [Int64]] = [:]
    private(set) var quarantined: [Int64: [String: Int64]] = [:]

    init(of keys: [Key], apps: [Int64], on connection: PostgresConnection) throws {
        let apps = PostgresParameter.array(apps)
        try readNotifications(keys, apps, on: connection)
        for row in try connection.query(.Soak.recordedCounters, [apps]) {
            let (key, name): (CounterKey, String) = (try CounterKey(row), try row.get("name"))
            guard ReferenceMeasures.names.contains(name) else { continue }
            counters[key, default: [:]][name] = try row.get("notifications")
        }
        for row in try connection.query(.Soak.recordedUnmatched, [apps]) {
            let key = UnmatchedKey(appID: try row.get("app_id"), quarter: try row.milliseconds("quarter"))
            unmatched[key] = try row.counts(["unmatched", "local"])
        }
        facts = try RecordedFacts(of: apps, on: connection)
        for row in try connection.query(.Soak.recordedIntake, [apps]) {
            intake[try row.get("app_id")] = try ["received", "accepted", "duplicates", "rejected"].map {
                try row.get($0)
            }
        }
        for row in try connection.query(.Soak.countQuarantined, [apps]) {
            quarantined[try row.get("app_id"), default: [:]][try row.get("code")] = try row.get("items")
        }
    }

    private struct AppNotification: Hashable {
        let appID: Int64
        let notificationID: UUID

        init(_ row: PostgresRow) throws {
            appID = try row.get("app_id")
            notificationID = try row.get("notification_id")
        }

        init(appID: Int64, _ notificationID: UUID) {
            self.appID = appID
            self.notificationID = notificationID
        }
    }

    /// Reads the notifications of the keys, and all that wait.
    private mutating func readNotifications(
        _ keys: [Key], _ apps: PostgresParameter, on connection: PostgresConnection
    ) throws {
        var messages: [AppNotification: UUID] = [:]
        for row in try connection.query(.Soak.recordedWaiting, [apps]) {
            messages[try AppNotification(row)] = try row.get("message_id", as: UUID.self)
        }
        var named: [AppNotification: Key] = [:]
        var meant: [AppNotification: MeantID] = [:]
        for key in keys {
            if let id = key.row.id.uuid(inApp: key.appID) {
                meant[AppNotification(appID: key.appID, id)] = key.row.id
            }
            guard let id = key.row.notificationID(inApp: key.appID) else { continue }
            named[AppNotification(appID: key.appID, id)] = key
        }
        let asked = Array(Set(named.keys).union(messages.keys))
        for row in try connection.query(
            .Soak.recordedNotifications,
            [.array(asked.map(\.appID)), .array(asked.map(\.notificationID))])
        {
            let (notification, recorded) = (try AppNotification(row), try RecordedNotification(row))
            let waiting = messages[notification].map { message in
                let appID = notification.appID
                let id = meant[AppNotification(appID: appID, message)] ?? .uuid(message)
                return Key(appID: appID, row: .waiting(id, collapseID: recorded.collapseID ?? ""))
            }
            guard let key = waiting ?? named[notification] else { continue }
            notifications[key, default: []].append(recorded)
        }
    }
}

extension PostgresRow {
    fileprivate func milliseconds(_ name: String) throws -> Int64 {
        try get(name, as: Instant.self).millisecondsSinceEpoch
    }

    /// The counters that are not 0: a missing counter equals 0.
    fileprivate func counts(_ names: [String]) throws -> [String: Int64] {
        var counts: [String: Int64] = [:]
        for name in names {
            let count: Int64 = try get(name)
            if count != 0 { counts[name] = count }
        }
        return counts
    }

    fileprivate func words(_ names: [String]) throws -> [String]? {
        let words = try names.compactMap { try getOptional($0, as: String.self) }
        return words.count == names.count ? words : nil
    }
}

extension RecordedNotification {
    fileprivate init(_ row: PostgresRow) throws {
        let sentAt = try row.milliseconds("sent_at")
        let elapsed = ["arrived_after_ms", "presented_after_ms", "clicked_after_ms", "dismissed_after_ms"]
        self.sentAt = sentAt
        bits = ReferenceBits(rawValue: try row.get("state"))
        times = try elapsed.map { name in try row.getOptional(name, as: Int64.self).map { sentAt + $0 } }
        timedByReceipt = ReferenceBits(rawValue: try row.getOptional("timed_by_receipt") ?? 0)
        rejectedAt = try row.getOptional("rejected_at", as: Instant.self)?.millisecondsSinceEpoch
        action = try row.getOptional("action")
        collapseID = try row.getOptional("collapse_id")
        facts = MeantFacts(
            expiresAt: try row.getOptional("expires_at", as: Instant.self)?.millisecondsSinceEpoch,
            sender: try row.getOptional("sender"), providerID: try row.getOptional("provider_id"),
            contentAvailable: try row.getOptional("content_available"))
        arrivedVersion = try row.getOptional("arrived_version")
        target = FoundTarget(hasToken: try row.get("has_token"), deviceID: try row.getOptional("device_id"))
        let segment = try row.words([
            "provider", "environment", "topic", "push_type", "priority", "platform", "app_version",
            "os_version",
            "language", "permission",
        ])
        if let segment, let names = try row.words(["campaign", "variant"]) {
            push = PushWords(campaign: names[0], variant: names[1], segment: segment)
        }
        if let words = try row.words(["response_provider", "response_reason"]) {
            response = [words[0], "\(try row.get("response_status", as: Int64.self))", words[1]]
        }
    }
}

extension Recorded.CounterKey {
    init(_ row: PostgresRow) throws {
        self.init(
            appID: try row.get("app_id"), quarter: try row.milliseconds("quarter"),
            campaign: try row.get("campaign"), variant: try row.get("variant"))
    }
}
