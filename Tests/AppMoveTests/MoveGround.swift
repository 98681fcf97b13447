import Access
import AppMove
import DeliveryModel
import Foundation
import Ingestion
import Logging
import Maintenance
import PostgresClient
import Reports
import TestDatabase
import Testing
import TokenLifecycle
import Vault

/// Two cells: the test's database, with the apps news (1) and shop (2), and another schema or database.
struct MoveGround: Sendable {
    enum Place: String, CaseIterable, Sendable {
        case otherSchema, otherDatabase
    }

    let vault = TokenVault(.random())
    let source = TestDatabase.current
    let app = App(appID: 2, slug: "shop")
    let three: CellNumber
    let targetURL: String
    let targetSchema: SchemaName
    private let targetPool: PostgresPool
    private let otherDatabase: String?
    let sentAt = (Instant.now - .hours(2)).startOfQuarter + .minutes(1)

    static func run(
        _ place: Place = .otherSchema, isMigrated: Bool = true, _ body: (MoveGround) async throws -> Void
    ) async throws {
        let ground = try MoveGround(place)
        do {
            if isMigrated { try ground.migrate() }
            try await body(ground)
        } catch {
            try await ground.drop()
            throw error
        }
        try await ground.drop()
    }

    private init(_ place: Place) throws {
        three = try #require(CellNumber(3))
        switch place {
        case .otherSchema:
            (targetURL, targetSchema) = (source.url, try #require(SchemaName("landfall_3")))
            otherDatabase = nil
        case .otherDatabase:
            let name = source.name + "_b"
            (targetURL, targetSchema) = (source.url + " dbname=\(name)", TestDatabase.schema)
            try Self.administer(source.url, "CREATE DATABASE \(name)")
            otherDatabase = name
        }
        targetPool = PostgresPool(
            .init(url: targetURL, schema: targetSchema, size: 2), logger: Logger(label: "test"))
    }

    private func drop() async throws {
        try await targetPool.close()
        if let otherDatabase {
            try Self.administer(source.url, "DROP DATABASE \(otherDatabase) WITH (FORCE)")
        }
    }

    private static func administer(_ url: String, _ text: String) throws {
        try PostgresConnection(url: url + " dbname=postgres").execute(script: SQLFile(name: "", text: text))
    }

    /// The target has an app of its own, and other ids for the words of responses.
    func migrate() throws {
        let target = try connectToTarget()
        try Migrator().migrate(target)
        try three.claim(target, from: connectToSource())
        try target.execute(
            script: SQLFile(
                name: "test/other",
                text: """
                    INSERT INTO landfall.app (slug, created_at) VALUES ('other', now());
                    INSERT INTO landfall.provider_response (provider, status, reason, outcome_class)
                    VALUES ('fcm', 200, '', 'accepted'), ('fcm', 400, 'Other', 'unknown'), ('apns', 200, '', 'accepted');
                    """))
    }

    func connectToSource(_ observer: StatementObserver? = nil) throws -> PostgresConnection {
        try source.connect(preparesStatements: false, statementObserver: observer)
    }

    func connectToTarget(_ observer: StatementObserver? = nil) throws -> PostgresConnection {
        try PostgresConnection(
            url: targetURL, schema: targetSchema, preparesStatements: false, statementObserver: observer)
    }

    /// A move with connections of its own, as each call of the command has.
    func move(_ observer: StatementObserver? = nil) throws -> AppMove {
        try move(from: connectToSource(observer), to: connectToTarget(observer))
    }

    func move(from source: PostgresConnection, to target: PostgresConnection) throws -> AppMove {
        try AppMove(app, from: .init(.front, source), to: .init(three, target), front: connectToSource())
    }

    /// - Returns: whether no copy remains.
    @discardableResult
    func abort(isTargetAway: Bool = false) throws -> Bool {
        try AppMove.abort(app, in: .init(.front, connectToSource()), to: three) {
            guard !isTargetAway else { throw PostgresError.unavailable(reason: "it is away") }
            return .init(three, try connectToTarget())
        } == nil
    }

    func moveBack() throws -> AppMove {
        let source = try connectToSource()
        return AppMove(
            app, from: .init(three, try connectToTarget()), to: .init(.front, source), front: source)
    }

    // MARK: - Rows

    /// Every table that has an `app_id` gets rows of the app.
    func fill() async throws {
        try await source.execute(
            "INSERT INTO landfall.app (slug, created_at) VALUES ('news', now()), ('shop', now())")
        try await source.pool.withConnection { [vault] in try vault.claim($0) }
        let writer = try await writer(of: source.pool)
        for appID in [Int64(1), 2] {
            for number in 0..<6 { try await register(number, appID: appID) }
            let pushes = (0..<30).map { (id: UUID(), number: $0) }
            var items = pushes.map { push in
                response(
                    push.id, appID, day: push.number % 3, status: push.number % 5 == 4 ? 410 : 200,
                    token: push.number % 8)
            }
            items.append(response(UUID(), appID, day: 0, status: 400, token: 1, environment: .sandbox))
            items.append(message(UUID(), appID, token: 2))
            items.append(message(UUID(), appID, token: 70))
            items += (0..<3).map { garbage($0, appID) }
            _ = try await writer.write(items)
            _ = try await writer.write(
                pushes.filter { $0.number % 2 == 0 }.map { arrival($0.id, appID, day: $0.number % 3) })
        }
        try await source.pool.withConnection { [now = Instant.now, device = device(5, 2)] connection in
            try Maintenance(MaintenanceSettings()).fold(before: now - .hours(30), on: connection)
            try connection.transaction {
                _ = try Erasure(appID: 2).erase(device, now: now, on: connection)
            }
        }
        try connectToSource().execute(script: Self.otherRows)
    }

    func register(_ number: Int, appID: Int64, on pool: PostgresPool? = nil) async throws {
        let registration = registration(number, appID)
        try await (pool ?? source.pool).withTransaction { [vault] connection in
            _ = try DeviceRegistry(vault: vault).register(
                registration, appID: appID, now: .now, on: connection)
        }
    }

    func registration(_ number: Int, _ appID: Int64) -> Registration {
        var registration = Registration(deviceID: device(number, appID), registeredAt: sentAt - .days(3))
        registration.platform = "ios"
        registration.appVersion = "7.1.0"
        registration.permission = "authorized"
        registration.account = "ada\(number)"
        registration.tokens = [address(number), subscription(number)]
        registration.keys[subscription(number)] = WebPushKeys(bytes: (0..<81).map { UInt8(number + $0) })
        return registration
    }

    func device(_ number: Int, _ appID: Int64) -> UUID {
        UUID(uuid: (1, 2, 3, 4, 5, 6, 0x40, 8, 0x80, 0, 0, 0, 0, 0, UInt8(appID), UInt8(number)))
    }

    func address(_ number: Int, _ environment: Environment = .production) -> TokenAddress {
        TokenAddress(
            provider: "apns", environment: environment, topic: "com.example.shop", kind: .alert,
            value: String(format: "%04x", number + 1))
    }

    func subscription(_ number: Int) -> TokenAddress {
        TokenAddress(
            provider: "webpush", environment: .production, topic: "", kind: .webPush,
            value: "https://push.example.com/\(number)")
    }

    func response(
        _ id: UUID, _ appID: Int64 = 2, day: Int, status: Int = 200, token: Int,
        environment: Environment = .production, campaign: String = "spring"
    ) -> BatchItem {
        var response = ProviderResponse(provider: "apns", status: status)
        if status == 410 { response.reason = "Unregistered" }
        if status == 400 { response.reason = "BadDeviceToken" }
        response.campaign = campaign
        response.topic = "com.example.shop"
        response.target = .token(address(token, environment))
        return item(
            Event(notificationID: id, sentAt: sentAt - .days(Int64(day)), content: .response(response)), appID
        )
    }

    func message(_ id: UUID, _ appID: Int64, token: Int) -> BatchItem {
        var response = ProviderResponse(provider: "apns", status: 200)
        response.topic = "com.example.shop"
        response.target = .token(address(token))
        return item(Event(.message(id, deviceID: nil), sentAt: sentAt, content: .response(response)), appID)
    }

    func arrival(
        _ id: UUID, _ appID: Int64 = 2, day: Int, kind: DeviceReport.Kind = .arrival
    ) -> BatchItem {
        var report = DeviceReport(kind: kind)
        report.appVersion = "7.1.0"
        report.occurredAt = sentAt - .days(Int64(day)) + .seconds(3)
        return item(
            Event(notificationID: id, sentAt: sentAt - .days(Int64(day)), content: .device(report)), appID)
    }

    func garbage(_ number: Int, _ appID: Int64) -> BatchItem {
        BatchItem(
            appID: appID, text: Array("garbage \(number)".utf8)[...], poster: .server,
            content: .failure(ItemRejection(.invalidJSON, "no event")))
    }

    private func item(_ event: Event, _ appID: Int64) -> BatchItem {
        BatchItem(appID: appID, text: [], poster: .server, content: .success(event))
    }

    func writer(of pool: PostgresPool) async throws -> DeliveryWriter {
        let taxonomy = try await pool.withConnection { try RejectionTaxonomy(from: $0) }
        return DeliveryWriter(pool: pool, vault: vault, taxonomy: taxonomy, logger: Logger(label: "test"))
    }

    var pools: [PostgresPool] { [source.pool, targetPool] }

    /// Rows of which verification knows nothing.
    private static let otherRows = SQLFile(
        name: "test/rows",
        text: """
            INSERT INTO landfall.api_key (app_id, kind, digest, prefix, created_at, sealed_key)
            VALUES (2, 'server', '\\x01', 'lf_server_abcd', now(), NULL), (2, 'device', '\\x02', 'lf_device_abcd', now(), NULL),
                   (2, 'account', '\\x03', 'lf_account_abc', now(), '\\x00'), (1, 'server', '\\x04', 'lf_server_efgh', now(), NULL);
            INSERT INTO landfall.annotation (app_id, at, text, created_by, created_at) VALUES (2, now(), 'ü', 'ada', now());
            INSERT INTO landfall.finding_episode (app_id, finding, severity, sentence, opened_at, last_seen_at)
            VALUES (2, 'silent_outage', 'problem', 'Nothing.', now(), now());
            INSERT INTO landfall.finding_mute (app_id, finding, until, muted_by, created_at)
            VALUES (2, 'silent_outage', now() + interval '1 day', 'ada', now());
            INSERT INTO landfall.audience_count (app_id, audience, counted_at) VALUES (2, 5, now());
            INSERT INTO landfall.token_run (app_id, started_at) VALUES (2, now());
            INSERT INTO landfall.device_quota_use
            VALUES (2, date_trunc('hour', now()), 1, 2, 3, 4, 5, 6);
            INSERT INTO landfall.device_trouble (app_id, quarter, trouble, reporter_id, events)
            VALUES (2, date_trunc('hour', now()), 'clock', 7, 8);
            INSERT INTO landfall.reach_sketch (app_id, quarters, starts_at, campaign_id, targeted, loose_tokens, without_target,
                                               attempted, confirmed, clicked, built_at)
            VALUES (2, 96, '2020-01-01 00:00:00+00', 0, '\\x00ff', '{4,9}', 0, 2, 1, 0, now());
            INSERT INTO landfall.token_breaker (app_id, environment, topic) VALUES (2, 'sandbox', 'com.example.other');
            INSERT INTO landfall.token_breaker_minute (app_id, environment, topic, shard, place, minute, attempted, retired)
            VALUES (2, 'sandbox', 'com.example.other', 0, 0, now(), 1, 0);
            INSERT INTO landfall.token_other_address (app_id, token_id, provider, environment, topic, last_said_at, response_count,
                                                      last_status, last_reason)
            VALUES (2, 999, 'apns', 'sandbox', '', now(), 1, 400, 'BadDeviceToken');
            INSERT INTO landfall.registration_failure (app_id, day, installation_id, failed_at)
            VALUES (2, date_trunc('day', now()), 999, now());
            INSERT INTO landfall.notification_date (notification_id, app_id, sent_at, is_provisional)
            VALUES (gen_random_uuid(), 2, now(), false);
            INSERT INTO landfall.person_grant (person_id, app_id, role) VALUES (1, 2, 'viewer');
            INSERT INTO landfall.share_link (app_id, digest, path, title, is_rolling, created_by, created_at, expires_at)
            VALUES (2, '\\x05', '/', 'Funnel', false, 'ada', now(), now() + interval '1 day');
            """)

    // MARK: - Both cells

    /// The state of the app's move in a cell; `nil` if there is no note.
    func state(_ connection: PostgresConnection) throws -> String? {
        try connection.query(.Moving.findMove, [.value(app.appID)]).first?.get("state")
    }

    /// The number of days whose changes are noted for a move.
    func notedDays(_ connection: PostgresConnection) throws -> Int64 {
        try connection.query(
            SQLFile(
                name: "test/triggers",
                text: """
                    SELECT count(*) FROM pg_trigger JOIN pg_inherits ON inhrelid = tgrelid
                     WHERE inhparent = 'landfall.delivery'::regclass AND tgname LIKE 'note_move_%'
                    """)
        ).single().get(0)
    }

    /// The number of the app's rows by table, without empty ones.
    func counts(_ connection: PostgresConnection) throws -> [String: Int64] {
        var counts: [String: Int64] = [:]
        for table in try tables(connection) {
            let count: Int64 = try connection.query(
                SQLFile(name: "test/count", text: "SELECT count(*) FROM landfall.\(table) WHERE app_id = 2")
            ).single().get(0)
            if count > 0 { counts[table] = count }
        }
        return counts
    }

    /// Every table with an `app_id`.
    func tables(_ connection: PostgresConnection) throws -> [String] {
        try connection.query(
            SQLFile(
                name: "test/tables",
                text: """
                    SELECT relname::text FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
                     WHERE relnamespace = 'landfall'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
                       AND attname = 'app_id' ORDER BY 1
                    """)
        ).column(0)
    }

    /// Notifications and counters with the words of their responses, and the ledger in its order.
    func contents(_ connection: PostgresConnection) throws -> [String] {
        try connection.query(
            SQLFile(
                name: "test/contents",
                text: """
                    SELECT 'row ' || md5((delivery.notification_id, delivery.sent_at, delivery.state, delivery.token_id,
                                          known.status, known.reason)::text)
                      FROM landfall.delivery LEFT JOIN landfall.provider_response AS known USING (response_id)
                     WHERE delivery.app_id = 2
                    UNION ALL
                    SELECT concat_ws(' ', 'counter', counted.quarter, counted.campaign_id, counted.segment_id, counted.state,
                                     known.status, known.reason, sum(counted.notifications))
                      FROM landfall.counter_by_quarter AS counted LEFT JOIN landfall.provider_response AS known USING (response_id)
                     WHERE counted.app_id = 2
                     GROUP BY counted.quarter, counted.campaign_id, counted.segment_id, counted.state, known.status, known.reason
                    UNION ALL
                    SELECT concat_ws(' ', 'ledger', row_number() OVER (ORDER BY written_by, transition_id), transition_id)
                      FROM landfall.token_transition WHERE app_id = 2
                     ORDER BY 1
                    """)
        ).column(0)
    }

    func verify() async throws {
        for pool in pools {
            let verification = try await pool.withConnection { try Verification.run(on: $0) }
            #expect(verification.differences.isEmpty)
        }
    }
}
