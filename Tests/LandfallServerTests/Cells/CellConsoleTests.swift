import DeliveryModel
import Foundation
import TestDatabase
import Testing

@testable import LandfallServer
@testable import People

/// The console over the apps of two cells.
@Suite(.databaseForLong, .oneCell("makes its own cells"), .timeLimit(.minutes(40)))
struct CellConsoleTests {
    private static let pages = [
        "", "/funnel", "/clicks", "/campaigns", "/doctor", "/breakers", "/quarantine", "/annotations",
        "/explain", "/sweep", "/shares", "/live",
    ]

    @Test("a person sees the apps of both cells, and every page of each")
    func pages() async throws {
        try await CellServer.run { cells async throws in
            for server in [cells.shop, cells.news] {
                #expect(try await server.post(acceptedPush(1)).status == 200)
            }
            let visitor = try await ConsoleVisitor.signedIn(cells.shop)
            let home = try await visitor.get("/").text
            #expect(home.contains("/apps/shop") && home.contains("/apps/news"))
            for app in ["shop", "news"] {
                for page in Self.pages {
                    #expect(try await visitor.get("/apps/\(app)\(page)").status == 200, "\(app)\(page)")
                }
            }
            for page in ["health", "retention", "audit", "keys", "people"] {
                #expect(try await visitor.get("/settings/\(page)").status == 200, "\(page)")
            }
            let retention = try await visitor.get("/settings/retention").text
            #expect(retention.contains(">Cell 0<") && retention.contains(">Cell 1<"))
            for page in ["health", "retention"] {
                let text = try await visitor.get("/settings/\(page)?cell=1").text
                let current = #/<a [^>]*aria-current="page"[^>]*>Cell 1</#
                #expect(try current.firstMatch(in: text) != nil, "\(page)")
                #expect(try await visitor.get("/settings/\(page)?cell=7").status == 404)
            }
        }
    }

    @Test("what a person does in an app happens in its cell, and so is its audit; one page shows both")
    func acts() async throws {
        try await CellServer.run { cells async throws in
            let visitor = try await ConsoleVisitor.signedIn(cells.shop)
            for app in ["shop", "news"] {
                let created = try await visitor.act("/settings/keys", ["app": app, "kind": "device"])
                #expect(created.text.contains(app == "news" ? "lf_device_c1_" : "lf_device_"))
                let note = ["text": "released \(app)", "at": "", "campaign": ""]
                #expect(try await visitor.act("/apps/\(app)/annotations", note).status == 303)
            }
            let acts = """
                SELECT count(*) FROM landfall.audit_entry WHERE act IN ('key_created', 'annotation_added')
                """
            #expect(try await TestDatabase.current.count(acts) == 2)
            #expect(try CellServer.count(acts) == 2)
            let keys = try await visitor.get("/settings/keys").text
            #expect(keys.contains("lf_device_c1_"))
            let audit = try await visitor.get("/settings/audit").text
            let found = audit.matches(of: #/released (shop|news)/#).map { String($0.1) }
            #expect(found == ["news", "shop"])
        }
    }

    @Test("a link to a report of another cell's app works")
    func shared() async throws {
        try await CellServer.run { cells async throws in
            #expect(try await cells.news.post(acceptedPush(1)).status == 200)
            let visitor = try await ConsoleVisitor.signedIn(cells.shop)
            let created = try await visitor.act(
                "/apps/news/shares",
                ["report": "funnel", "query": "from=2d", "title": "News", "window": "rolling", "days": "7"])
            let path = try #require(created.text.firstMatch(of: #/\/shared\/[\w-]+/#).map { String($0.0) })
            var stranger = visitor
            stranger.cookie = ""
            #expect(try await stranger.get(path).status == 200)
            #expect(try await visitor.get("/apps/news/shares").text.contains("News"))
        }
    }

    @Test("while a database is away, the pages of its apps say so, and all others are there")
    func away() async throws {
        try await CellServer.run(isAway: true) { cells async throws in
            #expect(try await cells.shop.post(acceptedPush(1)).status == 200)
            let visitor = try await ConsoleVisitor.signedIn(cells.shop)
            #expect(try await visitor.get("/apps/shop").status == 200)
            #expect(try await visitor.get("/apps/news").status == 503)
            let home = try await visitor.get("/")
            #expect(home.status == 200 && home.text.contains("/apps/shop"))
            #expect(home.text.contains("The database of cell 1 cannot be reached"))
            for page in ["health", "retention", "audit", "keys", "people"] {
                #expect(try await visitor.get("/settings/\(page)").status == 200, "\(page)")
            }
        }
    }

    // MARK: - Pages of the audit

    private func entries(_ ids: ClosedRange<Int64>, every step: Int64, from start: Int64) -> [AuditEntry] {
        ids.reversed().map { id in
            let at = Instant(millisecondsSinceEpoch: start + (id - ids.lowerBound) * step)
            return AuditEntry(
                id: id, at: at, name: "ada", personID: nil, act: "\(id)", app: nil, subject: "", address: "")
        }
    }

    @Test("pages of the audit merge the cells by time, and together have every entry once")
    func audit() throws {
        let three = try #require(CellNumber(3))
        let all: [CellNumber: [AuditEntry]] = [
            .front: entries(1...70, every: 1_000, from: 0),
            three: entries(1_001...1_045, every: 1_700, from: 300),
        ]
        var (place, read, pages) = (AuditPlace(""), [AuditEntry](), 0)
        while true {
            // As a cell returns them: the newest before the place.
            let found = all.reduce(into: [CellNumber: [AuditEntry]]()) { found, cell in
                found[cell.key] = Array(cell.value.filter { $0.id < place.ids[cell.key] ?? .max }.prefix(20))
            }
            let (entries, next) = place.newest(20, of: found)
            read += entries
            pages += 1
            guard entries.count == 20 else { break }
            place = AuditPlace(next.text)
            #expect(place == next)
        }
        #expect(pages == 6)
        #expect(read.count == 115 && Set(read.map(\.id)).count == 115)
        #expect(zip(read, read.dropFirst()).allSatisfy { $0.at >= $1.at })
    }

    @Test(
        "the place of a page is read as it was written, and nonsense is none",
        arguments: [
            ("17", "17"), ("17,3:8", "17,3:8"), ("3:8", "3:8"), ("", ""), ("x,:,300:1,1:2:3", "1:3"),
        ])
    func place(text: String, read: String) { #expect(AuditPlace(text).text == read) }
}
