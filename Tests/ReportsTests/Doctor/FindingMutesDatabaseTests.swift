import DeliveryModel
import PostgresClient
import TestDatabase
import Testing

@testable import Doctor

@Suite("Muted findings", .database) struct FindingMutesDatabaseTests {
    private let now = instant("2026-03-15T12:00:00Z")
    private let news = App(appID: 2, slug: "news")

    private func connect() throws -> PostgresConnection {
        try TestDatabase.current.connect()
    }

    private func mute(
        _ finding: Finding.ID, days: Int64, by name: String = "ada", on connection: PostgresConnection
    ) throws {
        try FindingMutes.mute(
            finding, of: shop, until: now + .days(days), by: name, now: now, on: connection)
    }

    private func mutes(
        of app: App = shop, at instant: Instant? = nil, on connection: PostgresConnection
    ) throws -> [FindingMute] {
        try FindingMutes.list(of: app, now: instant ?? now, on: connection)
    }

    @Test("a mute is in force until its time is over, in its app")
    func expiry() throws {
        let connection = try connect()
        try mute(.rejected, days: 7, on: connection)
        try mute(.breakerOpen, days: 1, on: connection)
        let both = try mutes(on: connection)
        #expect(both.map(\.finding) == [.breakerOpen, .rejected])
        #expect(both[1].until == now + .days(7))
        #expect(both[1].mutedBy == "ada" && both[1].createdAt == now)
        #expect(try mutes(of: news, on: connection) == [])
        let later = now + .days(1)
        #expect(try mutes(at: later - .seconds(1), on: connection) == both)
        #expect(try mutes(at: later, on: connection) == [both[1]])
        #expect(try mutes(at: now + .days(7), on: connection) == [])
    }

    @Test("mutes that are over are removed, and no others")
    func removed() throws {
        let connection = try connect()
        try mute(.rejected, days: 7, on: connection)
        try mute(.breakerOpen, days: 1, on: connection)
        try FindingMutes.removeExpired(now: now + .days(2), on: connection)
        #expect(try mutes(on: connection).map(\.finding) == [.rejected])
    }

    @Test("a second mute replaces the first, and an unmuted finding is shown at once")
    func replaced() throws {
        let connection = try connect()
        try mute(.rejected, days: 30, on: connection)
        try mute(.rejected, days: 1, by: "bob", on: connection)
        #expect(try mutes(on: connection).map(\.until) == [now + .days(1)])
        #expect(try mutes(on: connection).map(\.mutedBy) == ["bob"])
        #expect(try !FindingMutes.unmute(.rejected, of: news, on: connection))
        #expect(try FindingMutes.unmute(.rejected, of: shop, on: connection))
        #expect(try mutes(on: connection) == [])
        #expect(try !FindingMutes.unmute(.rejected, of: shop, on: connection))
    }

    @Test("a finding that only another version knows is left out")
    func unknownFinding() throws {
        let connection = try connect()
        try mute(.rejected, days: 1, on: connection)
        try connection.query(
            .init(
                name: "test/unknown",
                text: """
                    INSERT INTO landfall.finding_mute (app_id, finding, until, muted_by, created_at)
                    SELECT app_id, 'from_the_future', until, muted_by, created_at FROM landfall.finding_mute
                    """))
        #expect(try mutes(on: connection).map(\.finding) == [.rejected])
    }

    @Test("a report without muted findings keeps the others, and those of the database")
    func withoutMuted() {
        func checkup(_ ids: [Finding.ID]) -> Checkup {
            let findings = ids.map {
                Finding($0, .problem, "", "", "", command: [], evidence: [])
            }
            return Checkup(subject: "", isAboutTraffic: true, examined: .judged(""), findings: findings)
        }
        let report = DoctorReport(
            asOf: now, hours: 24,
            patients: [
                .init(app: shop, checkups: [checkup([.rejected, .breakerOpen])]),
                .init(app: nil, checkups: [checkup([.rejected, .serverClock])]),
            ])
        let rest = report.without([.rejected, .serverClock])
        #expect(rest.findings.map(\.id) == [.breakerOpen, .rejected, .serverClock])
    }
}
