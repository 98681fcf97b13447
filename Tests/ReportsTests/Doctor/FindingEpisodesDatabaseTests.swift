import DeliveryModel
import PostgresClient
import TestDatabase
import Testing

@testable import Doctor

@Suite("The episodes of findings", .database) struct FindingEpisodesDatabaseTests {
    private static let start = instant("2026-03-15T12:00:00Z")
    private let news = App(appID: 2, slug: "news")

    private func connect() throws -> PostgresConnection {
        try TestDatabase.current.connect()
    }

    private func finding(
        _ id: Finding.ID, _ severity: Finding.Severity = .warning, _ sentence: String = "Something is wrong."
    ) -> Finding {
        Finding(id, severity, sentence, "", "", command: [], evidence: [])
    }

    /// Records an examination of these findings, some minutes after the start.
    ///
    /// - Parameter app: `nil` for the database as a whole.
    private func record(
        _ findings: [Finding], at minutes: Int64, of app: App? = shop, examined: Examined = .judged("enough"),
        on connection: PostgresConnection
    ) throws {
        let checkup = Checkup(
            subject: "subject", isAboutTraffic: true, examined: examined, findings: findings)
        let now = Self.start + .minutes(minutes)
        let report = DoctorReport(
            asOf: now, hours: 24, patients: [.init(app: app, checkups: [checkup])])
        try FindingEpisodes.record(report, now: now, on: connection)
    }

    private func episodes(
        of app: App = shop, since instant: Instant = start - .days(30), limit: Int = 200,
        on connection: PostgresConnection
    ) throws -> [FindingEpisode] {
        try FindingEpisodes.list(of: app, since: instant, limit: limit, on: connection)
    }

    @Test("a finding that stays is one open episode, with the latest sentence")
    func stays() throws {
        let connection = try connect()
        for (minutes, sentence) in [(0, "10 are lost."), (5, "20 are lost."), (10, "15 are lost.")] {
            try record(
                [finding(.rejected, .problem, sentence)], at: Int64(minutes), on: connection)
        }
        let episode = try #require(try episodes(on: connection).first)
        #expect(try episodes(on: connection).count == 1)
        #expect(episode.finding == "rejected" && episode.severity == .problem)
        #expect(episode.sentence == "15 are lost.")
        #expect(episode.openedAt == Self.start && episode.lastSeenAt == Self.start + .minutes(10))
        #expect(episode.resolvedAt == nil)
    }

    @Test("the severity is the highest that the episode had")
    func severity() throws {
        let connection = try connect()
        var severities: [Finding.Severity] = []
        for (minutes, severity) in [(0, Finding.Severity.warning), (5, .problem), (10, .warning)] {
            try record([finding(.rejected, severity)], at: Int64(minutes), on: connection)
            severities += try episodes(on: connection).map(\.severity)
        }
        #expect(severities == [.warning, .problem, .problem])
    }

    @Test(
        "an episode ends when its finding is gone, also if there is too little to judge; it reopens as another"
    )
    func ends() throws {
        let connection = try connect()
        try record([finding(.rejected, .problem), finding(.breakerOpen)], at: 0, on: connection)
        try record([finding(.breakerOpen)], at: 5, on: connection)
        try record([finding(.breakerOpen), finding(.rejected)], at: 10, on: connection)
        try record([], at: 15, examined: .tooLittle("3 pushes"), on: connection)
        let all = try episodes(on: connection)
        #expect(all.map(\.finding) == ["rejected", "rejected", "breaker_open"])
        #expect(all.map(\.severity) == [.warning, .problem, .warning])
        #expect(all.map(\.openedAt) == [10, 0, 0].map { Self.start + .minutes($0) })
        #expect(all.map(\.lastSeenAt) == [10, 0, 10].map { Self.start + .minutes($0) })
        #expect(all.map(\.resolvedAt) == [15, 5, 15].map { Self.start + .minutes($0) })
    }

    @Test("several findings of one id are one episode, with the sentence of the most severe")
    func severalOfOneID() throws {
        let connection = try connect()
        let findings = [
            finding(.extensionSilent, .warning, "Build 7.1 is silent."),
            finding(.extensionSilent, .problem, "Build 7.2 is silent."),
            finding(.extensionSilent, .problem, "Build 7.3 is silent."),
        ]
        for minutes in [0, 5] as [Int64] { try record(findings, at: minutes, on: connection) }
        let all = try episodes(on: connection)
        #expect(all.map(\.sentence) == ["Build 7.2 is silent."])
        #expect(all.map(\.severity) == [.problem])
    }

    @Test("each app has its own episodes, and findings about the database have none")
    func apps() throws {
        let connection = try connect()
        try record([finding(.breakerOpen)], at: 0, on: connection)
        try record([finding(.rejected)], at: 0, of: news, on: connection)
        try record([finding(.serverClock)], at: 0, of: nil, on: connection)
        try record([], at: 5, of: news, on: connection)
        #expect(try episodes(on: connection).map(\.resolvedAt) == [nil])
        #expect(
            try episodes(of: news, on: connection).map(\.resolvedAt) == [Self.start + .minutes(5)])
        let count = try connection.query(
            .init(name: "test/count", text: "SELECT count(*) FROM landfall.finding_episode")
        ).single().get(0, as: Int64.self)
        #expect(count == 2)
    }

    @Test(
        "the list has what was open at the instant or later: open ones first, then the newest, up to the limit"
    )
    func list() throws {
        let connection = try connect()
        try record([finding(.breakerOpen), finding(.rejected)], at: 0, on: connection)
        try record([finding(.breakerOpen)], at: 5, on: connection)
        try record([finding(.breakerOpen), finding(.sweepOverdue)], at: 10, on: connection)
        try record([finding(.breakerOpen)], at: 15, on: connection)
        let all = try episodes(on: connection)
        #expect(all.map(\.finding) == ["breaker_open", "sweep_overdue", "rejected"])
        let later = try episodes(since: Self.start + .minutes(5), on: connection)
        #expect(later == [all[0], all[1]])
        #expect(try episodes(limit: 1, on: connection) == [all[0]])
    }

    @Test("an examination of an earlier instant takes nothing back")
    func earlierInstant() throws {
        let connection = try connect()
        try record([finding(.rejected)], at: 5, on: connection)
        try record([finding(.rejected)], at: 4, on: connection)
        #expect(try episodes(on: connection).map(\.lastSeenAt) == [Self.start + .minutes(5)])
        try record([], at: 4, on: connection)
        #expect(try episodes(on: connection).map(\.resolvedAt) == [Self.start + .minutes(5)])
    }

    @Test("episodes are removed 400 days after their end, and never while they are open")
    func retention() throws {
        let connection = try connect()
        try record([finding(.breakerOpen), finding(.rejected)], at: 0, on: connection)
        try record([finding(.breakerOpen)], at: 5, on: connection)
        let end = Self.start + .minutes(5) + .days(400)
        try FindingEpisodes.removeOld(now: end, on: connection)
        #expect(try episodes(on: connection).count == 2)
        try FindingEpisodes.removeOld(now: end + .seconds(1), on: connection)
        #expect(try episodes(on: connection).map(\.finding) == ["breaker_open"])
    }
}
