import DeliveryModel
import Doctor
import Foundation
import Maintenance
import Reports
import SQLFiles
import Simulation
import TestDatabase
import Testing
import TokenLifecycle

@testable import PostgresClient

/// A week of a small app in its usual state. Autovacuum never analyzes a table of fewer than 50 rows, and no
/// table at once: a planner without statistics expects one row where there are thousands. Whatever it
/// expects, no report may rescan a table for each row of another.
@Suite("The cost of reports on tables that were never analyzed", .databaseForLong)
struct ReportCostTests {
    private typealias Question = @Sendable (App, PostgresConnection, Instant) throws -> Void

    private var database: TestDatabase { .current }
    private let now = SimulatedHistory.end

    /// The planner's statistics.
    enum Statistics: String, CaseIterable {
        case none
        /// Those that autovacuum would have collected.
        case ofTablesOf50Rows
    }

    @Test("is bounded by the actual rows, whatever the planner's statistics say")
    func bounded() async throws {
        var history = SimulatedHistory(.ordinary)
        history.phones = 3_400
        history.campaigns = 60
        history.days = 7
        history.isMaintained = false
        let app = try await history.write()
        let notifications = try await database.count("SELECT count(*) FROM landfall.delivery")
        #expect(notifications > 18_000)
        for statistics in Statistics.allCases { try await check(app, statistics, "counters of writers") }
        // PostgreSQL from elsewhere (make test POSTGRES_BIN=…) may lack the extension for sketches.
        let available = "SELECT count(*) FROM pg_available_extensions WHERE name = 'hll'"
        guard try await database.count(available) == 1 else { return }
        // The same after maintenance has folded the counters, and with sketches.
        try await database.pool.withConnection { [now] connection in
            _ = try Maintenance(MaintenanceSettings()).run(now: now, on: connection)
            try SketchExtension.create(on: connection)
            _ = try Maintenance(MaintenanceSettings()).sketch(now: now, on: connection)
        }
        try await check(app, .none, "counters of days, sketches")
    }

    private func check(_ app: App, _ statistics: Statistics, _ state: String) async throws {
        try await provide(statistics)
        let rows = try await countRows()
        for (name, ask) in Self.questions {
            for cost in try await costs(of: ask, app) {
                let place =
                    "\(name), \(cost.statement), \(state), statistics: \(statistics), \(rows) rows in all tables"
                #expect(cost.mostRows <= rows, "\(place): \(cost.mostRows) in \(cost.worst)")
                #expect(cost.buffers <= 3 * rows, "\(place): \(cost.buffers) buffers")
            }
        }
    }

    private func countRows() async throws -> Int64 {
        try await database.count(
            """
            SELECT sum(rows)::bigint
              FROM (SELECT (xpath('/row/n/text()',
                                  query_to_xml(format('SELECT count(*) AS n FROM %s', oid::regclass), false, true, ''))
                           )[1]::text::bigint AS rows
                      FROM pg_class
                     WHERE relnamespace = 'landfall'::regnamespace AND relkind = 'r') AS counted
            """)
    }

    /// Removes all statistics, including any that autovacuum has collected meanwhile, or collects them as
    /// autovacuum would, without waiting for it.
    private func provide(_ statistics: Statistics) async throws {
        try await database.execute(
            """
            DO $$
            DECLARE
                name regclass;
                isLarge boolean;
            BEGIN
                -- Before statistics are touched: this ends an autovacuum that is writing some.
                FOR name IN
                    SELECT oid::regclass FROM pg_class WHERE relnamespace = 'landfall'::regnamespace AND relkind = 'r'
                LOOP
                    EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = false)', name);
                END LOOP;
                DELETE FROM pg_statistic
                 WHERE starelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'landfall'::regnamespace);
                UPDATE pg_class SET relpages = 0, reltuples = -1
                 WHERE relnamespace = 'landfall'::regnamespace AND relkind IN ('r', 'i');
                FOR name IN
                    SELECT oid::regclass FROM pg_class WHERE relnamespace = 'landfall'::regnamespace AND relkind = 'r'
                LOOP
                    EXECUTE format('SELECT count(*) >= 50 FROM %s', name) INTO isLarge;
                    IF isLarge AND '\(statistics)' = 'ofTablesOf50Rows' THEN
                        EXECUTE format('ANALYZE %s', name);
                    END IF;
                END LOOP;
            END;
            $$
            """)
    }

    // MARK: - Requests

    /// Reports with windows, breakdowns and filters.
    private static let ofWindows:
        [String: @Sendable (ReportQuery, PostgresConnection, Instant) throws -> Void] =
            [
                "funnel": { _ = try FunnelReport.run($0, on: $1, now: $2) },
                "clicks": { _ = try ClicksReport.run($0, on: $1, now: $2) },
                "clicks by action and": {
                    let query = try ReportQuery(
                        app: $0.app, window: $0.window, timeZone: $0.timeZone,
                        by: $0.by.prefix(1) + [.action],
                        filters: $0.filters)
                    _ = try ClickKindsReport.run(query, on: $1, now: $2)
                },
                "loss": { _ = try LossReport.run($0, on: $1, now: $2) },
                "rejections": { _ = try RejectionsReport.run($0, on: $1, now: $2) },
                "extension": { _ = try ExtensionReport.run($0, on: $1, now: $2) },
                "latency": { _ = try LatencyReport.run($0, on: $1, now: $2) },
                "reach": { _ = try ReachReport.run($0, on: $1, now: $2) },
            ]

    private static let ofApps: [String: Question] = [
        "today": { _ = try AppToday.run(for: $0, in: .utc, on: $1, now: $2) },
        "token health": { _ = try TokenHealth.run(for: $0, on: $1, now: $2) },
        "doctor": { _ = try DoctorReport.run(for: [$0], on: $1, now: $2) },
        "doctor, 144 hours": {
            _ = try DoctorReport.run(for: [$0], hours: Examination.mostHours, on: $1, now: $2)
        },
        "tokens status": { _ = try TokenStatusReport.run(for: $0, on: $1, now: $2) },
        "tokens status, two days ago": {
            _ = try TokenStatusReport.run(for: $0, asOf: $2 - .days(2), on: $1)
        },
        "permissions": { _ = try PermissionsReport.run(query($0, [], [], $2), on: $1, now: $2) },
        "permissions by day and version": {
            _ = try PermissionsReport.run(query($0, [.day, .appVersion], [], $2), on: $1, now: $2)
        },
        "permissions by campaign": {
            _ = try OptOutsReport.run(query($0, [.campaign, .variant], [], $2), on: $1, now: $2)
        },
        "tokens waterfall": { try waterfall(.installations, of: $0, $1, $2) },
        "tokens waterfall, by token": { try waterfall(.tokens, of: $0, $1, $2) },
        "tokens zombies": { app, connection, now in
            // So low that nearly every installation is judged.
            var rules = ZombieRules()
            rules.days = 1
            rules.pushes = 1
            rules.reportingShare = 0
            _ = try ZombieReport.run(for: app, rules, limit: 20, on: connection, now: now)
        },
        "tokens deaths": { _ = try FalseDeaths(appID: $0.appID, from: $2 - .days(7), to: $2, on: $1) },
        "verify": { _, connection, _ in _ = try Verification.run(on: connection) },
    ]

    private static let cuts: [(dimensions: [Reports.Dimension], filters: [ReportFilter])] = [
        ([], []), ([.day], []), ([.hour, .campaign], []), ([.campaign, .language], []),
        ([.appVersion], [ReportFilter(.platform, ["ios"]), ReportFilter(.variant, ["", "A", "B"])]),
        ([], [ReportFilter(.campaign, ["spring-sale", "cart-reminder", "flash-news", "partner-offers"])]),
    ]

    private static var questions: [(name: String, ask: Question)] {
        var questions: [(name: String, ask: Question)] = ofApps.map { (name: $0.key, ask: $0.value) }
        for (name, ask) in ofWindows {
            for (dimensions, filters) in cuts where name != "extension" || dimensions.isEmpty {
                let words =
                    [name] + dimensions.map(\.rawValue) + filters.map { "--\($0.dimension.rawValue)" }
                questions.append(
                    (
                        name: words.joined(separator: " "),
                        ask: { app, connection, now in
                            try ask(query(app, dimensions, filters, now), connection, now)
                        }
                    ))
            }
        }
        return questions
    }

    /// A week, in a zone whose days differ from UTC's.
    private static func query(
        _ app: App, _ dimensions: [Reports.Dimension], _ filters: [ReportFilter], _ now: Instant
    ) throws -> ReportQuery {
        try ReportQuery(
            app: app, window: ReportWindow(from: now.startOfQuarter - .days(7), to: now.startOfQuarter),
            timeZone: ReportTimeZone("Europe/Berlin"), by: dimensions, filters: filters)
    }

    private static func waterfall(
        _ unit: TokenWaterfall.Unit, of app: App, _ connection: PostgresConnection, _ now: Instant
    ) throws {
        let window = try WaterfallWindow(from: nil, to: nil, by: .day, timeZone: .utc, asOf: now)
        _ = try TokenWaterfall.run(for: app, unit: unit, window: window, on: connection)
    }

    // MARK: - Costs

    private struct Cost {
        let statement: String
        /// The pages read, from memory or not.
        let buffers: Int64
        /// The most rows that one node of the plan read in all its loops, and that node.
        let mostRows: Int64
        let worst: String
    }

    /// The costs of every statement that a request sends, with its own parameters, as reports run them.
    private func costs(of ask: Question, _ app: App) async throws -> [Cost] {
        let sent = SentStatements()
        try ask(app, database.connect(statementObserver: sent.note), now)
        let connection = try database.connect()
        return try connection.snapshot {
            // The doctor's attempt to write is a DO block and has no plan.
            try sent.all.filter { $0.file.name != SQLFile.Administration.tryWriting.name }.enumerated().map {
                number, statement in
                let explain = SQLFile(
                    name: "test/\(number)",
                    text: "EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, FORMAT JSON) "
                        + statement.file.text)
                let row = try #require(try connection.query(explain, statement.parameters).first)
                let explained = try JSONDecoder().decode(
                    [Explained].self, from: Data(row.get(0, as: JSONText.self).bytes))
                return cost(of: statement.file.name, try #require(explained.first).plan)
            }
        }
    }

    private func cost(of statement: String, _ plan: ActualPlan) -> Cost {
        let worst = plan.nodes.max { $0.rows < $1.rows } ?? plan
        return Cost(
            statement: statement, buffers: plan.buffers, mostRows: Int64(worst.rows), worst: worst.nodeType)
    }

    private struct Explained: Decodable {
        let plan: ActualPlan

        enum CodingKeys: String, CodingKey { case plan = "Plan" }
    }
}

/// A value of PostgreSQL's type json.
private struct JSONText: PostgresValue {
    static var postgresType: PostgresType { PostgresType(oid: 114, arrayOID: 199) }
    let bytes: [UInt8]

    init?(postgresBytes bytes: UnsafeRawBufferPointer) { self.bytes = Array(bytes) }

    func encode(into bytes: inout [UInt8]) { bytes += self.bytes }
}

/// One node of a plan that was executed, as `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)` prints it.
private struct ActualPlan: Decodable {
    let nodeType: String
    /// The rows that the node read in all its loops, whether it returned or removed them.
    let rows: Double
    /// The pages that the node and its children read, from memory or not.
    let buffers: Int64
    let children: [ActualPlan]

    /// This node and all below it.
    var nodes: [ActualPlan] { [self] + children.flatMap(\.nodes) }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        func number(_ name: String) throws -> Double {
            try fields.decodeIfPresent(Double.self, forKey: Key(name)) ?? 0
        }
        nodeType = try fields.decode(String.self, forKey: Key("Node Type"))
        // PostgreSQL reports the mean of the loops.
        let ofLoop = try fields.allKeys.filter { $0.stringValue.hasPrefix("Rows Removed by ") }
            .reduce(try number("Actual Rows")) { try $0 + number($1.stringValue) }
        rows = try ofLoop * number("Actual Loops")
        buffers = Int64(try number("Shared Hit Blocks") + number("Shared Read Blocks"))
        children = try fields.decodeIfPresent([ActualPlan].self, forKey: Key("Plans")) ?? []
    }

    /// The name of a property.
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }
}
