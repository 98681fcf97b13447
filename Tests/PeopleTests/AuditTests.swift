import DeliveryModel
import People
import PostgresClient
import TestDatabase
import Testing

@Suite("Audit", .database) struct AuditTests {
    private let bench = PeopleBench()

    @Test("an act is listed with the person, the app, the subject and the address")
    func listed() throws {
        let connection = try TestDatabase.current.connect()
        let (shop, _) = try bench.apps(on: connection)
        let ada = try bench.person("ada", on: connection)
        let clock = try connection.clock()
        try Audit.record(
            ada, act: "key_created", app: shop, subject: "key 3", address: "192.0.2.7",
            on: connection)
        try Audit.record(nil, name: "ada", act: "sign_in_failed", on: connection)
        let entries = try Audit.list(on: connection)
        #expect(entries.map(\.act) == ["sign_in_failed", "key_created"])
        #expect(entries.map(\.personID) == [nil, ada.id] && entries.map(\.name) == ["ada", "ada"])
        let later = try connection.clock()
        #expect(entries[1].app == "shop" && entries[1].subject == "key 3")
        #expect(clock...later ~= entries[1].at)
        #expect(entries[1].address == "192.0.2.7")
    }

    @Test("an entry names its app, and pages continue where the one before ended")
    func pages() throws {
        let connection = try TestDatabase.current.connect()
        let (shop, news) = try bench.apps(on: connection)
        for number in 1...7 {
            try Audit.record(
                nil, name: Audit.commandLine, act: "grant_added", app: number == 4 ? news : shop,
                subject: "\(number)", on: connection)
        }
        let first = try Audit.list(limit: 4, on: connection)
        #expect(first.map(\.subject) == ["7", "6", "5", "4"])
        #expect(first.map(\.app) == [shop.slug, shop.slug, shop.slug, news.slug])
        let rest = try Audit.list(before: first.last?.id, limit: 2, on: connection)
        #expect(rest.map(\.subject) == ["3", "2"])
        #expect(try Audit.list(before: rest.last?.id, on: connection).map(\.subject) == ["1"])
    }

    @Test("an act that is rolled back leaves no entry, and one with an entry is never half done")
    func together() throws {
        let connection = try TestDatabase.current.connect()
        #expect(throws: PeopleError.nameTaken("ada")) {
            try connection.transaction {
                for _ in 0..<2 {
                    _ = try PeopleDirectory.add("ada", Grants(.viewer), now: bench.now, on: connection)
                    try Audit.record(
                        nil, name: Audit.commandLine, act: "person_added", on: connection)
                }
            }
        }
        #expect(try Audit.list(on: connection) == [] && PeopleDirectory.list(on: connection) == [])
    }

    @Test("entries are kept for 400 days, and text from outside is cut")
    func old() async throws {
        let connection = try TestDatabase.current.connect()
        for days in [399, 401] as [Int64] {
            try Audit.record(
                nil, name: "\u{0}" + String(repeating: "x", count: 9_000), act: "sign_in_failed",
                on: connection)
            try await TestDatabase.current.execute(
                """
                UPDATE landfall.audit_entry SET at = now() - interval '\(days) days'
                WHERE audit_entry_id = (SELECT max(audit_entry_id) FROM landfall.audit_entry)
                """)
        }
        let clock = try connection.clock()
        try Audit.removeOld(now: clock, on: connection)
        let entries = try Audit.list(on: connection)
        #expect(entries.count == 1 && entries.allSatisfy { $0.at > clock - .days(400) })
        #expect(entries.map(\.name.count) == [254])
    }
}
