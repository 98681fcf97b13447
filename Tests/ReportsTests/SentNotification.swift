import DeliveryModel
import PostgresClient
import TestDatabase

@testable import Reports

/// A notification of app 1 as a test wants it in the database.
struct SentNotification {
    var sentAt: String
    /// `nil` while no response is known.
    var campaignID: Int64?
    var state: DeliveryState
    var tokenID: Int64?
    var installationID: Int64?
    var segmentID: Int64
    var collapseID: String?

    init(
        _ sentAt: String, _ state: DeliveryState, campaign: Int64? = 1, token: Int64? = nil,
        installation: Int64? = nil, segment: Int64 = 1, collapseID: String? = nil
    ) {
        self.sentAt = sentAt
        self.state = state
        self.campaignID = state.contains(.attempted) ? campaign : nil
        self.tokenID = token
        self.installationID = installation
        self.segmentID = segment
        self.collapseID = collapseID
    }
}

extension SentNotification {
    /// `nil` if it does not count as rejected.
    fileprivate var responseID: Int64? {
        guard let rejection = state.rejectionClass, campaignID != nil else { return nil }
        return Int64(OutcomeClass.rejected(rejection).rank)
    }
}

extension TestDatabase {
    /// Adds apps `shop` (1) and `news` (2), and campaigns of `shop`: 1 none, 2 spring/A, 3 spring/B, 4
    /// autumn.
    func addAppsAndCampaigns() async throws {
        try numberFromOne()
        try await execute(
            "INSERT INTO landfall.app (slug, created_at) VALUES ('shop', now()), ('news', now())")
        try await execute(
            """
            INSERT INTO landfall.campaign (app_id, key, variant)
            VALUES (1, '', ''), (1, 'spring', 'A'), (1, 'spring', 'B'), (1, 'autumn', '')
            """)
        // The responses that rows of these classes name: their ids are the classes' ranks.
        try await execute(
            """
            INSERT INTO landfall.provider_response (provider, status, reason, outcome_class)
            SELECT 'apns', 400 + rank, class, class
              FROM unnest($1::text[]) WITH ORDINALITY AS rejection (class, rank) ORDER BY rank
            """, [.array(RejectionClass.allCases.map(\.rawValue))])
    }

    /// Writes rows, and their counters in two shards.
    func add(_ notifications: [SentNotification]) async throws {
        for (position, notification) in notifications.enumerated() {
            try await addRow(notification)
            try await addCounters(notification, shard: Int16(position % 2))
        }
    }

    /// Writes a row without counters.
    func addRow(_ notification: SentNotification) async throws {
        let sentAt = PostgresParameter.value(instant(notification.sentAt))
        try await execute(
            "SELECT landfall.ensure_delivery_partition(($1 AT TIME ZONE 'UTC')::date)", [sentAt])
        try await execute(
            """
            INSERT INTO landfall.delivery (
                notification_id, sent_at, app_id, campaign_id, segment_id, token_id, installation_id, state, response_rank,
                response_id, collapse_id
            ) VALUES (gen_random_uuid(), $1, 1, $2, CASE WHEN $2 IS NOT NULL THEN $7 END, $3, $4, $5, 0, $6, $8)
            """,
            [
                sentAt, .value(notification.campaignID), .value(notification.tokenID),
                .value(notification.installationID), .value(notification.state.rawValue),
                .value(notification.responseID), .value(notification.segmentID),
                .value(notification.collapseID),
            ])
    }

    private func addCounters(_ notification: SentNotification, shard: Int16) async throws {
        let quarter = PostgresParameter.value(instant(notification.sentAt).startOfQuarter)
        try await execute(
            """
            INSERT INTO landfall.counter_live AS known
                (app_id, quarter, campaign_id, segment_id, response_id, notifications, state, shard)
            VALUES (1, $1, $2, $3, $4, 1, $5, $6)
            ON CONFLICT (app_id, quarter, campaign_id, segment_id, response_id, state, shard)
            DO UPDATE SET notifications = known.notifications + excluded.notifications
            """,
            [
                quarter, .value(notification.campaignID ?? 0),
                .value(notification.campaignID == nil ? 0 : notification.segmentID),
                .value(notification.state.isRejected ? notification.responseID ?? 0 : 0),
                .value(notification.state.rawValue), .value(shard),
            ])
    }

    /// Folds all counters and adds one notification in each state to a grain.
    func corrupt(grain: String, where condition: String = "true") async throws {
        try await foldCounters()
        try await execute(
            "UPDATE landfall.counter SET notifications = notifications + 1 WHERE grain = '\(grain)' AND \(condition)"
        )
    }

    func foldCounters() async throws {
        try await pool.withConnection { connection in
            _ = try connection.query(
                .Maintenance.foldCounters, [.value(instant("2100-01-01T00:00:00Z")), .value(Int64(10_000))])
        }
    }

    /// Runs a report on app `shop`.
    func ask<Result: Report>(
        _ request: ReportRequest,
        _ run: @escaping @Sendable (ReportQuery, PostgresConnection, Instant) throws -> Result
    ) async throws -> Result {
        let now = instant("2026-03-04T12:00:00Z")
        let query = try request.query(for: shop, now: now)
        return try await pool.withConnection { try run(query, $0, now) }
    }
}
