import Foundation
import People
import PostgresClient
import TestDatabase
import Testing

/// Links to reports for people without an account.
@Suite(.database, .timeLimit(.minutes(40))) struct SharedReportTests {
    private func share(
        _ visitor: ConsoleVisitor, _ query: String = "by=campaign", report: String = "funnel",
        window: String = "rolling"
    ) async throws -> String {
        let response = try await visitor.act(
            "/apps/shop/shares",
            ["report": report, "query": query, "title": "Spring", "window": window, "days": "30"])
        #expect(response.status == 200, "\(response.text)")
        return String(try #require(response.text.firstMatch(of: #/\/shared\/[\w-]{43}/#)).0)
    }

    private func post(
        _ counts: [(campaign: String, sent: Int, clicked: Int)], to server: TestServer, from first: Int = 0
    ) async throws {
        var number = first
        var events: [String] = []
        for (campaign, sent, clicked) in counts {
            for position in 0..<sent {
                number += 1
                let id = notificationID(number)
                events.append(
                    """
                    {"type":"response","notification_id":"\(id)","provider":"apns","status":200,\
                    "token":"\(tokenValue(number))","campaign":"\(campaign)"}
                    """)
                guard position < clicked else { continue }
                events.append(
                    """
                    {"type":"click","notification_id":"\(id)","occurred_at":"\(Instant.now.rfc3339)",\
                    "reported_at":"\(Instant.now.rfc3339)"}
                    """)
            }
        }
        #expect(try await server.post("[\(events.joined(separator: ","))]").status == 200)
    }

    @Test("a shared report needs no session, shows the shared question, and nothing smaller than ten")
    func coarse() async throws {
        try await TestServer.run { server in
            try await post([("spring", 57, 13), ("secret", 4, 3)], to: server)
            let link = try await share(try await ConsoleVisitor.signedIn(server))
            let page = try await ConsoleVisitor(server).get(link)
            #expect(page.status == 200)
            let numbers = page.text.matches(of: #/>(\d[\d,]*)</#).compactMap {
                Int(String($0.1).replacing(",", with: ""))
            }
            #expect(numbers.contains(60) && numbers.contains(50) && numbers.contains(10))
            #expect(numbers.allSatisfy { $0 % 10 == 0 }, "\(numbers)")
            for exact in ["57", "61", "13", "16"] { #expect(!page.text.contains(">\(exact)<")) }
            #expect(page.text.contains(#"name="robots" content="noindex""#))
            #expect(!page.text.contains("href=\"/apps"))
        }
    }

    @Test("a shared report has no rate of small counts, and says that the others are rounded")
    func rates() async throws {
        try await TestServer.run { server in
            try await post([("spring", 24, 8)], to: server)
            let visitor = try await ConsoleVisitor.signedIn(server)
            for report in ["funnel", "clicks"] {
                let page = try await ConsoleVisitor(server).get(try await share(visitor, report: report))
                // Of 24 accepted, 8 were clicked; the page knows 20 and 0.
                #expect(!page.text.contains(#/\d\.\d\u{A0}%/#), "\(report)")
                #expect(page.text.contains("rounded down to multiples of 10"))
                #expect(!page.text.contains(", exact,"))
            }
            try await post([("autumn", 239, 129)], to: server, from: 1_000)
            let page = try await ConsoleVisitor(server).get(try await share(visitor, "campaign=autumn"))
            // 120 of 230 are known. The true share, 54.0 %, is within the interval with its own error.
            let found = page.text.firstMatch(
                of: #/<strong>52\.2\u{A0}%<\/strong>\s*<span class="interval">\(([\d.]+)–([\d.]+)\)/#)
            let interval = try #require(found)
            #expect(Double(interval.1) ?? 1 < 45 && Double(interval.2) ?? 0 > 60)
        }
    }

    @Test("the question of a link cannot be changed, and other pages stay closed")
    func changedFilter() async throws {
        try await TestServer.run { server in
            let link = try await share(try await ConsoleVisitor.signedIn(server), "campaign=spring")
            let visitor = ConsoleVisitor(server)
            #expect(try await visitor.get(link).status == 200)
            for query in ["?campaign=news", "?by=day", "?from=90d", "?format=csv"] {
                #expect(try await visitor.get(link + query).status == 404)
            }
            #expect(try await visitor.get("\(link)/..").status == 404)
            #expect(try await visitor.get("/shared/\(Secret.random().text)").status == 404)
            #expect(try await visitor.get("/apps/shop/funnel").status == 303)
        }
    }

    @Test("a question may be as long as a shared path")
    func longQuestion() async throws {
        try await TestServer.run { server in
            let ada = try await ConsoleVisitor.signedIn(server)
            func query(_ count: Int) -> String {
                (0..<count).map { "campaign=\($0)\(String(repeating: "x", count: 150))" }
                    .joined(separator: "&")
            }
            let form = try await ada.get("/apps/shop/shares/new?report=funnel&\(query(5))")
            #expect(form.status == 200)
            #expect(try await ConsoleVisitor(server).get(share(ada, query(5))).status == 200)
            let paths = try await TestDatabase.current.front.query("SELECT path FROM landfall.share_link") {
                try $0.get(0, as: String.self)
            }
            #expect(paths == ["/apps/shop/funnel?\(query(5))"])
            let fields = [
                "report": "funnel", "query": query(20), "title": "x", "window": "rolling", "days": "30",
            ]
            #expect(try await ada.act("/apps/shop/shares", fields).status == 400)
        }
    }

    @Test("a revoked link, and one whose time is over, no longer work")
    func ends() async throws {
        try await TestServer.run { server in
            let ada = try await ConsoleVisitor.signedIn(server)
            let (revoked, expired) = (try await share(ada), try await share(ada, report: "clicks"))
            let visitor = ConsoleVisitor(server)
            #expect(try await visitor.get(revoked).status == 200)
            let list = try await ada.get("/apps/shop/shares")
            let ids = list.text.matches(of: #/name="id" value="(\d+)"/#).map { String($0.1) }
            #expect(ids.count == 2)
            #expect(try await ada.act("/apps/shop/shares/revoke", ["id": ids[1]]).status == 303)
            #expect(try await visitor.get(revoked).status == 404)
            #expect(try await visitor.get(expired).status == 200)
            try await TestDatabase.current.front.execute(
                "UPDATE landfall.share_link SET created_at = now() - interval '2 days', expires_at = now() - interval '1 day'"
            )
            #expect(try await visitor.get(expired).status == 404)
        }
    }

    @Test("a fixed window stays, a rolling one moves")
    func windows() async throws {
        try await TestServer.run { server in
            let ada = try await ConsoleVisitor.signedIn(server)
            _ = try await share(ada, "from=24h", window: "rolling")
            _ = try await share(ada, "from=24h", window: "fixed")
            let paths = try await TestDatabase.current.front.query(
                "SELECT path FROM landfall.share_link ORDER BY share_link_id"
            ) { try $0.get(0, as: String.self) }
            #expect(paths[0] == "/apps/shop/funnel?from=24h")
            #expect(paths[1].contains(#/from=\d{4}-\d\d-\d\dT/#) && paths[1].contains("&to="))
        }
    }

    @Test("viewers cannot share, and only counts that can be rounded are shared")
    func limits() async throws {
        try await TestServer.run { server in
            let viewer = try await ConsoleVisitor.signedIn(server, as: .viewer, name: "vera")
            let fields = ["report": "funnel", "query": "", "title": "x", "window": "rolling", "days": "30"]
            #expect(try await viewer.act("/apps/shop/shares", fields).status == 403)
            let ada = try await ConsoleVisitor.signedIn(server)
            for (name, value) in [
                ("report", "rejections"), ("report", "explain"), ("query", "by=nothing"), ("days", "0"),
                ("days", "366"), ("title", ""), ("query", "unknown=1"),
            ] {
                let response = try await ada.act(
                    "/apps/shop/shares", fields.merging([name: value]) { $1 })
                #expect(response.status == 400, "\(name) \(value)")
            }
        }
    }
}
