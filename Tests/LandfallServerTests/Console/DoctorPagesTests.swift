import DeliveryModel
import Foundation
import Logging
import People
import PostgresClient
import TestDatabase
import Testing

@testable import LandfallServer

/// The doctor's page, and what it mutes.
@Suite(.database, .timeLimit(.minutes(40))) struct DoctorPagesTests {
    private let link = "/apps/shop/doctor/mute?finding=breaker_open"

    private func muted() async throws -> [String] {
        try await TestDatabase.current.query(
            "SELECT concat_ws(' ', finding, muted_by, until - created_at) FROM landfall.finding_mute"
        ) { try $0.get(0, as: String.self) }
    }

    private func acts() async throws -> [String] {
        try await TestDatabase.current.query(
            "SELECT concat_ws(' ', name, act, app, subject) FROM landfall.audit_entry ORDER BY audit_entry_id"
        ) { try $0.get(0, as: String.self) }
    }

    private func mute(_ visitor: ConsoleVisitor, _ fields: [String: String] = [:]) async throws -> Response {
        try await visitor.act(
            "/apps/shop/doctor/mute", ["finding": "breaker_open", "days": "7"].merging(fields) { $1 })
    }

    @Test("a muted finding is not on Today but listed on the doctor's page, until it is unmuted")
    func muting() async throws {
        try await TestServer.run { server in
            try await TestDatabase.current.openBreaker(of: "shop")
            let ada = try await ConsoleVisitor.signedIn(server, as: .operator, in: server.app)
            #expect(try await ada.get("/apps/shop").text.contains("problem · breaker_open"))
            let before = try await ada.get("/apps/shop/doctor")
            #expect(before.text.contains(#"<a href="\#(link)">Mute…</a>"#))
            #expect(!before.text.contains("Muted"))

            let question = try await ada.get(link)
            #expect(question.status == 200)
            #expect(question.text.contains("People and programs that run landfall doctor still see it."))
            #expect(try await muted() == [])

            let response = try await mute(ada)
            #expect(response.status == 303)
            #expect(response.location?.hasPrefix("/apps/shop/doctor?") == true)
            #expect(try await muted() == ["breaker_open ada@example.com 7 days"])
            let today = try await ada.get("/apps/shop").text
            #expect(!today.contains("breaker_open"))
            #expect(today.contains(#"<a href="/apps/shop/doctor">1 finding is muted.</a>"#))
            let doctor = try await ada.get("/apps/shop/doctor").text
            #expect(!doctor.contains("problem · breaker_open"))
            #expect(doctor.contains("1 problem") && doctor.contains("Muted (1)"))
            #expect(doctor.contains("The breaker for production"))
            #expect(doctor.contains("ada@example.com"))

            let unmuted = try await ada.act("/apps/shop/doctor/unmute", ["finding": "breaker_open"])
            #expect(unmuted.status == 303)
            #expect(try await ada.get("/apps/shop").text.contains("problem · breaker_open"))
            #expect(try await !ada.get("/apps/shop").text.contains("muted"))
            #expect(try await !ada.get("/apps/shop/doctor").text.contains("Muted"))
            // A second time, there is nothing to do and nothing to record.
            #expect(
                try await ada.act("/apps/shop/doctor/unmute", ["finding": "breaker_open"]).status == 303)
            let recorded = try await acts()
            #expect(recorded.count == 2)
            #expect(
                recorded.first?.hasPrefix("ada@example.com finding_muted shop breaker_open until 20") == true)
            #expect(recorded.last == "ada@example.com finding_unmuted shop breaker_open")
        }
    }

    @Test("the card of an app says what is wrong, unless it is muted")
    func card() async throws {
        try await TestServer.run { server in
            try await TestDatabase.current.openBreaker(of: "shop")
            try await TestDatabase.current.pool.withConnection { connection in
                try FindingWatch(logger: Logger(label: "test")).look(on: connection)
            }
            let ada = try await ConsoleVisitor.signedIn(server, as: .operator, in: server.app)
            let sentence = "problem: The breaker for production"
            #expect(try await ada.get("/").text.contains(sentence))
            #expect(try await mute(ada).status == 303)
            // The cards are kept for a while.
            while try await ada.get("/").text.contains(sentence) { try await Task.sleep(for: .seconds(1)) }
        }
    }

    @Test("a mute whose time is over is none")
    func expired() async throws {
        try await TestServer.run { server in
            try await TestDatabase.current.openBreaker(of: "shop")
            let ada = try await ConsoleVisitor.signedIn(server, as: .operator, in: server.app)
            #expect(try await mute(ada, ["days": "1"]).status == 303)
            #expect(try await !ada.get("/apps/shop").text.contains("breaker_open"))
            try await TestDatabase.current.execute(
                """
                UPDATE landfall.finding_mute SET created_at = created_at - interval '25 hours',
                                                 until = until - interval '25 hours'
                """)
            #expect(try await ada.get("/apps/shop").text.contains("problem · breaker_open"))
            #expect(try await !ada.get("/apps/shop/doctor").text.contains("Muted"))
        }
    }

    @Test("a viewer sees who muted what, and can neither mute nor unmute")
    func viewer() async throws {
        try await TestServer.run { server in
            try await TestDatabase.current.openBreaker(of: "shop")
            let vera = try await ConsoleVisitor.signedIn(server, as: .viewer, name: "vera")
            #expect(try await !vera.get("/apps/shop/doctor").text.contains("/doctor/mute"))
            #expect(try await vera.get(link).status == 403)
            #expect(try await mute(vera).status == 403)
            #expect(try await muted() == [])
            let ada = try await ConsoleVisitor.signedIn(server, as: .operator, in: server.app)
            #expect(try await mute(ada).status == 303)
            #expect(
                try await vera.act("/apps/shop/doctor/unmute", ["finding": "breaker_open"]).status == 403)
            #expect(try await muted().count == 1)
            let page = try await vera.get("/apps/shop/doctor").text
            #expect(page.contains("Muted (1)") && page.contains("ada@example.com"))
            #expect(!page.contains("/doctor/unmute"))
        }
    }

    @Test("an app of others is unknown, and its findings stay")
    func foreignApp() async throws {
        try await TestServer.run { server in
            _ = try await TestServer.makeApp("bank")
            let ada = try await ConsoleVisitor.signedIn(server, as: .operator, in: server.app)
            #expect(try await ada.get("/apps/bank/doctor/mute?finding=breaker_open").status == 404)
            for act in ["mute", "unmute"] {
                let fields = ["finding": "breaker_open", "days": "7"]
                #expect(try await ada.act("/apps/bank/doctor/\(act)", fields).status == 404)
            }
            #expect(try await muted() == [])
        }
    }

    @Test(
        "only a finding of an app can be muted, and only for one of the offered times",
        arguments: [
            ("finding", ""), ("finding", "nothing"), ("finding", "server_clock"), ("days", ""), ("days", "2"),
            ("days", "-1"), ("days", "36500"),
        ])
    func mistakes(_ name: String, _ value: String) async throws {
        try await TestServer.run { server in
            let ada = try await ConsoleVisitor.signedIn(server, as: .operator, in: server.app)
            let response = try await mute(ada, [name: value])
            #expect(response.status == 400)
            #expect(response.text.contains(name == "finding" ? "breaker_open" : "1, 7, 30 or 90 days"))
            if name == "finding" {
                #expect(try await ada.get("/apps/shop/doctor/mute?finding=\(value)").status == 400)
            }
            #expect(try await muted() == [])
        }
    }

    @Test("the page lists the findings of the last 30 days, until when each lasted")
    func history() async throws {
        try await TestServer.run { server in
            let database = TestDatabase.current
            try await database.openBreaker(of: "shop")
            try await database.pool.withConnection { connection in
                try FindingWatch(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
                    .look(on: connection)
            }
            try await database.execute("DELETE FROM landfall.token_breaker")
            try await database.execute(
                """
                INSERT INTO landfall.finding_episode (app_id, finding, severity, sentence, opened_at, last_seen_at, resolved_at)
                SELECT app_id, finding, 'warning', sentence, at - interval '1 day', at - interval '1 hour', at
                  FROM landfall.app
                 CROSS JOIN (VALUES ('rejected', '3 <b>builds</b> failed.', now() - interval '29 days'),
                                    ('sweep_overdue', 'Long ago.', now() - interval '31 days'))
                       AS past (finding, sentence, at)
                """)
            let page = try await ConsoleVisitor.signedIn(server, as: .viewer).get("/apps/shop/doctor").text
            #expect(!page.contains("problem · breaker_open"))
            let history = page.components(separatedBy: "Findings of the last 30 days").last ?? ""
            let rows = history.components(separatedBy: "<tr>").filter { $0.contains("<bdi>") }
            try #require(rows.count == 2)
            #expect(rows[0].contains("breaker_open") && rows[0].contains(">now</td>"))
            #expect(rows[0].contains("The breaker for production"))
            #expect(rows[1].contains("3 &lt;b&gt;builds&lt;/b&gt; failed."))
            let ends = try await database.query(
                "SELECT resolved_at FROM landfall.finding_episode WHERE finding = 'rejected'"
            ) { try $0.get(0, as: Instant.self) }
            let end = try #require(ends.first).rfc3339.prefix(16).replacing("T", with: " ")
            #expect(rows[1].contains(">\(end) +00:00</td>"))
            #expect(!page.contains("Long ago."))
        }
    }
}
