import DeliveryModel
import PostgresClient
import TestDatabase
import Testing

@testable import Reports

@Suite("The loss report", .database)
struct LossReportDatabaseTests {
    private var database: TestDatabase { .current }

    private let accepted: DeliveryState = [.attempted, .accepted, .canReport]
    private let arrived: DeliveryState = [.attempted, .accepted, .canReport, .arrived]

    /// As of 2026-03-04T12:00:00Z: what was sent since 12:00 on the 3rd is still pending.
    private func loss(
        by: [String] = [], _ filters: [ReportFilter] = [ReportFilter(.campaign, ["spring"])],
        compare: String? = nil
    ) async throws -> LossReport {
        let request = ReportRequest(
            from: "2026-03-01", to: "2026-03-05", by: by, filters: filters, compare: compare)
        return try await database.ask(request) { try LossReport.run($0, on: $1, now: $2) }
    }

    private func prepare(_ notifications: [SentNotification]) async throws {
        try await database.addAppsAndCampaigns()
        try await database.addSegments()
        try await database.add(notifications)
    }

    /// One of each loss of campaign spring, A, on 2026-03-01 and 04.
    private var oneOfEach: [SentNotification] {
        let morning = "2026-03-01T10:00:00Z"
        return [
            .init(morning, [.attempted, .rejected(.tokenDead)], campaign: 2),
            .init(morning, [.attempted, .rejected(.throttled)], campaign: 2),
            .init(morning, accepted.union(.recalled), campaign: 2),
            .init(morning, [.attempted, .accepted], campaign: 2),
            .init(morning, accepted, campaign: 2, segment: 3),
            .init(morning, accepted, campaign: 2, segment: 2),
            .init(morning, accepted, campaign: 2, segment: 6),
            .init(morning, accepted, campaign: 2, token: 7, collapseID: "score"),
            .init("2026-03-01T10:30:00Z", arrived, campaign: 2, token: 7, collapseID: "score"),
            .init(morning, accepted, campaign: 2),
            .init("2026-03-04T10:00:00Z", accepted, campaign: 2),
            .init("2026-03-04T11:00:00Z", arrived.union(.clicked), campaign: 2),
        ]
    }

    @Test("names every loss, in the order of precedence, and adds up")
    func everyLoss() async throws {
        try await prepare(oneOfEach)
        let totals = try await loss().totals
        #expect(totals.counts[.attempted] == 12)
        #expect(totals.counts[.accepted] == 10)
        #expect(totals.counts[.confirmed] == 2)
        #expect(totals.counts[.clicked] == 1)
        #expect(
            totals.losses == [
                .recalled: 1, .notReportable: 1, .notCapable: 1, .permissionOff: 2, .superseded: 1,
                .pending: 1,
                .unexplained: 1,
            ])
    }

    @Test(
        "without a campaign, says that superseded pushes were not looked for, and counts them elsewhere"
    )
    func withoutCampaign() async throws {
        try await prepare(oneOfEach)
        let report = try await loss([])
        #expect(report.totals[.superseded] == nil)
        #expect(report.totals[.unexplained] == 2)
        #expect(report.supersededReason?.contains("'campaign'") == true)
        let text = report.document.lineText
        #expect(
            text.contains(#""permission_off":2,"superseded":null,"pending":1,"unexplained":2,"confirmed":2"#))
        #expect(text.contains(#""superseded_reason":"not counted unless 'campaign' is given"#))
    }

    @Test("has the contract's members")
    func document() async throws {
        try await prepare(oneOfEach)
        let text = try await loss(by: ["variant"]).document.lineText
        let counts = """
            "counts":{"attempted":12,"rejected":{"token_dead":1,"throttled":1},"accepted":10,"recalled":1,"not_reportable":1,\
            "not_capable":1,"permission_off":2,"superseded":1,"pending":1,"unexplained":1,"confirmed":2,"clicked":1}
            """
        #expect(text.contains(#""rows":[{"key":{"variant":"A"},\#(counts)"#))
        #expect(text.contains(#""totals":{\#(counts)"#))
        #expect(text.contains(#""completeness":{"arrival_window_hours":24,"young":2,"accepted":10}"#))
        #expect(!text.contains("superseded_reason"))
    }

    @Test("breaks down by day, trait and variant, with the same sums")
    func breakdowns() async throws {
        try await prepare(
            oneOfEach + [.init("2026-03-02T10:00:00Z", accepted, campaign: 3, segment: 4)])
        let days = try await loss(by: ["day"])
        #expect(days.rows.map { $0.key.parts[0].value } == ["2026-03-01", "2026-03-02", "2026-03-04"])
        #expect(days.rows.map { $0.counts[.superseded] } == [1, 0, 0])
        #expect(days.rows.map { $0.counts[.unexplained] } == [1, 1, 0])
        #expect(days.rows.map { $0.counts[.pending] } == [0, 0, 1])
        let versions = try await loss(by: ["app_version"])
        #expect(versions.rows.map { $0.key.parts[0].value } == ["7.2.0", "5.0", "6.9.2"])
        #expect(versions.rows.map { $0.counts[.notCapable] } == [0, 0, 1])
        #expect(versions.rows.map { $0.counts[.superseded] } == [1, 0, 0])
        let variants = try await loss(by: ["day", "variant"], [ReportFilter(.platform, ["ios"])])
        #expect(variants.totals[.unexplained] == 2)
        for dimension in Dimension.allCases where !dimension.isOfClick {
            #expect(try await loss(by: [dimension.rawValue]).totals == days.totals)
        }
    }

    struct Pushes: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let earlier: SentNotification
        let later: SentNotification
        let replaced: Int64
    }

    private static let ready: DeliveryState = [.attempted, .accepted, .canReport]
    private static let first = "2026-03-01T10:00:00Z"
    private static let second = "2026-03-01T11:00:00Z"
    private static let earlier = SentNotification(
        first, ready, campaign: 2, token: 7, installation: 3, collapseID: "score")

    @Test(
        "counts a push as superseded only if a later accepted one has the same collapse id and target",
        arguments: [
            Pushes(
                testDescription: "same token", earlier: earlier,
                later: .init(second, ready, campaign: 4, token: 7, collapseID: "score"), replaced: 1),
            Pushes(
                testDescription: "same installation", earlier: earlier,
                later: .init(second, ready, campaign: 4, token: 8, installation: 3, collapseID: "score"),
                replaced: 1),
            Pushes(
                testDescription: "sent later than the report is of", earlier: earlier,
                later: .init("2026-03-05T08:00:00Z", ready, campaign: 4, token: 7, collapseID: "score"),
                replaced: 0),
            Pushes(
                testDescription: "other collapse id", earlier: earlier,
                later: .init(second, ready, campaign: 2, token: 7, collapseID: "weather"), replaced: 0),
            Pushes(
                testDescription: "other target", earlier: earlier,
                later: .init(second, ready, campaign: 4, token: 8, installation: 4, collapseID: "score"),
                replaced: 0),
            Pushes(
                testDescription: "rejected", earlier: earlier,
                later: .init(
                    second, [.attempted, .rejected(.throttled)], campaign: 4, token: 7, collapseID: "score"),
                replaced: 0),
            Pushes(
                testDescription: "sent before it", earlier: earlier,
                later: .init("2026-03-01T09:00:00Z", ready.union(.arrived), token: 7, collapseID: "score"),
                replaced: 0),
            Pushes(
                testDescription: "no collapse id at all",
                earlier: .init(first, ready, campaign: 2, token: 7),
                later: .init(second, ready, campaign: 4, token: 7), replaced: 0),
            Pushes(
                testDescription: "the earlier one was seen",
                earlier: .init(first, ready.union(.presented), campaign: 2, token: 7, collapseID: "score"),
                later: .init(second, ready, campaign: 4, token: 7, collapseID: "score"), replaced: 0),
            Pushes(
                testDescription: "permission off comes first",
                earlier: .init(first, ready, campaign: 2, token: 7, segment: 2, collapseID: "score"),
                later: .init(second, ready, campaign: 4, token: 7, collapseID: "score"), replaced: 0),
            Pushes(
                testDescription: "a version that never reports comes first",
                earlier: .init(first, ready, campaign: 2, token: 7, segment: 3, collapseID: "score"),
                later: .init(second, ready, campaign: 4, token: 7, collapseID: "score"), replaced: 0),
        ])
    func superseded(pushes: Pushes) async throws {
        try await prepare([pushes.earlier, pushes.later])
        #expect(try await loss().totals[.superseded] == pushes.replaced)
    }

    @Test("finds later pushes past the window too")
    func replacedBehindTheWindow() async throws {
        try await prepare([
            Self.earlier,
            .init("2026-03-03T10:00:00Z", Self.ready, campaign: 4, token: 7, collapseID: "score"),
        ])
        let request = ReportRequest(
            from: "2026-03-01", to: "2026-03-02", filters: [ReportFilter(.campaign, ["spring"])])
        let report = try await database.ask(request) { try LossReport.run($0, on: $1, now: $2) }
        #expect(report.totals[.superseded] == 1)
    }

    @Test("counts young superseded pushes as superseded, not pending")
    func youngSuperseded() async throws {
        try await prepare([
            .init("2026-03-04T09:00:00Z", accepted, campaign: 2, installation: 3, collapseID: "score"),
            .init("2026-03-04T09:00:00Z", accepted, campaign: 2, installation: 4, collapseID: "score"),
            .init("2026-03-04T09:30:00Z", arrived, campaign: 4, installation: 3, collapseID: "score"),
        ])
        let totals = try await loss().totals
        #expect(totals[.superseded] == 1)
        #expect(totals[.pending] == 1)
        #expect(totals[.unexplained] == 0)
    }

    @Test("counts a quarter hour as pending if some of it is younger than 24 hours")
    func pending() async throws {
        try await prepare([
            .init("2026-03-03T11:59:59Z", accepted, campaign: 2),
            .init("2026-03-03T12:00:00Z", accepted, campaign: 2),
        ])
        let totals = try await loss().totals
        #expect(totals[.unexplained] == 1)
        #expect(totals[.pending] == 1)
    }

    @Test("is compared with the previous window")
    func comparison() async throws {
        try await prepare(oneOfEach + [.init("2026-02-26T10:00:00Z", accepted, campaign: 2)])
        let report = try await loss(by: ["day"], compare: "previous")
        let comparison = try #require(report.comparison)
        #expect(comparison.window.from == instant("2026-02-25T00:00:00Z"))
        let unexplained = try #require(comparison.totals.counts.first { $0.id == "unexplained" })
        #expect(unexplained.before == 1)
        #expect(unexplained.change == 0)
        #expect(comparison.rows.map { $0.key?.parts[0].value } == ["2026-03-01", "2026-03-04", nil])
        #expect(comparison.rows.map { $0.previousKey?.parts[0].value } == [nil, nil, "2026-02-26"])
    }

    @Test("is rejected if the counters of segments and the headline differ")
    func contradiction() async throws {
        try await prepare(oneOfEach)
        try await database.corrupt(grain: "day", where: "segment_id = 3")
        let error = await #expect(throws: ReportError.self) { try await loss() }
        #expect(error?.description.contains("accepted − confirmed = Σ reasons") == true)
    }

    @Test("is empty if nothing was sent")
    func empty() async throws {
        try await prepare([])
        let report = try await loss(by: ["day"])
        #expect(report.isEmpty)
        #expect(report.rows.isEmpty)
        #expect(report.totals[.superseded] == 0)
    }
}
