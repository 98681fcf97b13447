import DeliveryModel
import SQLFiles
import TestDatabase
import Testing

@testable import Doctor
@testable import PostgresClient
@testable import Reports

/// The tables that reports read. Counters are a few thousand rows where notifications are millions.
@Suite("Plans of reports", .database) struct ReportPlanTests {
    typealias Question = @Sendable (ReportQuery, PostgresConnection, Instant) throws -> Void

    private static let now = instant("2026-03-04T12:00:00Z")

    /// Reports from counters, each in one line.
    private static let counterReports: [String: Question] = [
        "funnel": { _ = try FunnelReport.run($0, on: $1, now: $2) },
        "clicks": { _ = try ClicksReport.run($0, on: $1, now: $2) },
        "loss": { _ = try LossReport.run($0, on: $1, now: $2) },
        "rejections": { _ = try RejectionsReport.run($0, on: $1, now: $2) },
    ]

    /// The tables and indexes in the plans of every statement that a report sends, with the report's own
    /// parameters.
    private func relations(
        by dimensions: [Dimension], filters: [ReportFilter] = [], isIndexed: Bool = false, _ ask: Question
    ) async throws -> Set<String> {
        let database = TestDatabase.current
        try await database.addAppsAndCampaigns()
        try await database.execute(
            """
            INSERT INTO landfall.segment (app_id, provider, environment, topic, push_type, priority, platform, app_version,
                                          os_version, language, permission)
            VALUES (1, 'apns', 'production', 'shop', 'alert', '10', 'ios', '7.1', '18.1', 'de', 'authorized')
            """)
        try await database.add([
            .init("2026-03-01T10:00:00Z", [.attempted, .accepted, .arrived], token: 1, installation: 1)
        ])
        let window = try ReportWindow(
            from: instant("2026-03-01T00:00:00Z"), to: instant("2026-03-04T00:00:00Z"))
        let query = try ReportQuery(
            app: shop, window: window, timeZone: .utc, by: dimensions, filters: filters)
        let sent = SentStatements()
        let connection = try database.connect(statementObserver: sent.note)
        try ask(query, connection, Self.now)
        let plain = try database.connect()
        // Few rows are read faster without an index.
        if isIndexed { _ = try plain.query(SQLFile(name: "test/indexed", text: "SET enable_seqscan = off")) }
        var relations: Set<String> = []
        for (number, statement) in sent.all.enumerated() {
            let explain = SQLFile(name: "test/\(number)", text: "EXPLAIN (COSTS OFF) " + statement.file.text)
            for row in try plain.query(explain, statement.parameters) {
                let line: String = try row.get(0)
                if let scan = line.firstMatch(of: /\ on (\w+)/) { relations.insert(String(scan.1)) }
                if let index = line.firstMatch(of: /using (delivery_\w+)/) {
                    relations.insert(String(index.1))
                }
            }
        }
        return relations
    }

    private func isNotifications(_ relation: String) -> Bool {
        relation == "delivery" || relation.firstMatch(of: /^delivery_\d{8}/) != nil
    }

    @Test(
        "read no notification for reports from counters, with any breakdown and filter",
        arguments: counterReports.keys.sorted(),
        [[], [.day], [.campaign], [.appVersion], [.week, .platform]] as [[Dimension]])
    func counters(report: String, dimensions: [Dimension]) async throws {
        let ask = try #require(Self.counterReports[report])
        let filters = [ReportFilter(.variant, [""]), ReportFilter(.language, ["", "de"])]
        let relations = try await relations(
            by: dimensions, filters: dimensions.contains(where: \.isTrait) ? filters : [], ask)
        let tables: Set =
            dimensions.contains(where: \.isTrait)
            ? ["counter_live", "counter_quarter", "counter_day"]
            : ["counter_live", "headline_quarter", "headline_day"]
        let isHeadline = ["funnel", "clicks"].contains(report)
        #expect(!isHeadline || relations.isSuperset(of: tables), "\(relations.sorted())")
        #expect(relations.contains(where: isNotifications) == false, "\(relations.sorted())")
    }

    @Test("read notifications for extensions only by the index of the runs that did not end well")
    func extensions() async throws {
        let relations = try await relations(by: [], isIndexed: true) {
            _ = try ExtensionReport.run($0, on: $1, now: $2)
        }
        #expect(relations.isSuperset(of: ["counter_live", "counter_quarter", "counter_day", "installation"]))
        let partition = "delivery_20260301"
        #expect(
            Set(relations.filter { $0.hasPrefix("delivery") })
                == [partition, "\(partition)_app_id_sent_at_idx"], "\(relations.sorted())")
    }

    @Test("read notifications for the doctor only by the index of the pushes that wake the app")
    func wakes() async throws {
        let examination = Examination(app: shop, asOf: instant("2026-03-01T20:00:00Z"))
        let relations = try await relations(by: [], isIndexed: true) { _, connection, _ in
            _ = try UnusedWakes.read(examination, on: connection)
        }
        let partition = "delivery_20260301"
        #expect(
            Set(relations.filter { $0.hasPrefix("delivery") })
                == [partition, "\(partition)_app_id_sent_at_idx1"], "\(relations.sorted())")
    }

    @Test("read installations and their periods for permissions, by key, and no notification")
    func permissions() async throws {
        let relations = try await relations(by: [.day, .platform], isIndexed: true) {
            _ = try PermissionsReport.run($0, on: $1, now: $2)
        }
        #expect(
            relations.isSuperset(of: ["installation", "permission_period"]), "\(relations.sorted())")
        #expect(relations.contains(where: isNotifications) == false, "\(relations.sorted())")
    }

    @Test("read notifications for reach, only those of the window's days")
    func rows() async throws {
        let relations = try await relations(by: [.day]) { _ = try ReachReport.run($0, on: $1, now: $2) }
        #expect(relations.contains("delivery_20260301"), "\(relations.sorted())")
    }
}
