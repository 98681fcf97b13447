import Access
import Connecting
import DeliveryModel
import Foundation
import HTTPTypes
import People
import PostgresClient
import TestDatabase
import Testing

@testable import LandfallServer

/// The console's pages that connect a sender.
@Suite(.database, .timeLimit(.minutes(40))) struct ConnectPagesTests {
    private func keys() async throws -> [String] {
        try await TestDatabase.current.query("SELECT kind || ' ' || prefix FROM landfall.api_key ORDER BY 1")
        { try $0.get(0, as: String.self) }
    }

    @Test("the list leads to a page of each sender, and an unknown one is not found")
    func list() async throws {
        try await TestServer.run { server in
            let visitor = try await ConsoleVisitor.signedIn(server, as: .viewer, in: server.app)
            let list = try await visitor.get("/apps/shop/connect").text
            for sender in ConnectableSender.all {
                #expect(list.contains("href=\"/apps/shop/connect/\(sender.name)\""), "\(sender.name)")
                let page = try await visitor.get("/apps/shop/connect/\(sender.name)")
                #expect(page.status == 200)
                #expect(page.text.contains(sender.keyPlaceholder), "\(sender.name)")
                #expect(page.text.contains("http://"), "\(sender.name)")
                #expect(!page.text.contains("?key=lf_server_"), "\(sender.name)")
                #expect(!page.text.contains("{key}") && !page.text.contains("{url}"), "\(sender.name)")
                // Markup would show a line break as two characters.
                #expect(!page.text.contains(#"\n"#), "\(sender.name)")
            }
            #expect(try await visitor.get("/apps/shop/connect/pigeon").status == 404)
        }
    }

    @Test("an admin's form creates a key that is on its response alone, works, and is in the audit")
    func key() async throws {
        try await TestServer.run { server in
            let before = try await keys()
            let path = "/apps/shop/connect/gorush"
            let viewer = try await ConsoleVisitor.signedIn(
                server, as: .operator, in: server.app, name: "vera")
            #expect(try await viewer.act(path).status == 403)
            #expect(try await viewer.get(path).text.contains("An admin can create"))
            #expect(try await keys() == before)

            let admin = try await ConsoleVisitor.signedIn(server, as: .admin, in: server.app)
            #expect(try await admin.post(path, [:]).status == 403, "without the token of the session")
            let created = try await admin.act(path)
            #expect(created.status == 200)
            #expect(created.location == nil)
            let key = try #require(created.text.firstMatch(of: #/Bearer (lf_hook_[\w-]+)/#).map { $0.1 })
            // A page that loads again would lose the key.
            #expect(!created.text.contains("data-live"))
            let again = try await admin.get(path).text
            #expect(again.contains("data-live") && !again.contains(key))
            #expect(try await keys().count == before.count + 1)
            let acts = try await TestDatabase.current.query(
                "SELECT subject FROM landfall.audit_entry WHERE act = 'key_created'"
            ) { try $0.get(0, as: String.self) }
            #expect(acts.count == 1 && key.hasPrefix(acts[0].dropFirst("hook ".count).dropLast()))

            let hooked = server.with(keys: [.hook: String(key)], app: server.app)
            let failure = #"{"type":"failed-push","platform":"ios","token":"x","error":"Unregistered"}"#
            #expect(
                try await hooked.send(.post, "/v1/intake/gorush", Array(failure.utf8), as: .hook).status
                    == 200)
            // Any other sender gets a server key.
            let other = try await admin.act("/apps/shop/connect/curl")
            #expect(other.text.contains(#/Bearer lf_server_[\w-]+/#))
        }
    }

    @Test("what has arrived is shown as it was understood, with what is wrong and the fix, and no token")
    func arrived() async throws {
        try await TestServer.run { server in
            let visitor = try await ConsoleVisitor.signedIn(server, as: .viewer, in: server.app)
            let path = "/apps/shop/connect/curl"
            #expect(try await visitor.get(path).text.contains("Nothing has arrived"))
            let response = """
                {"type":"response","notification_id":"\(notificationID(1))","provider":"apns","status":200,\
                "token":"\(tokenValue(1))","topic":"<b>shop</b>"}
                """
            #expect(try await server.post(response).counts == [1, 0, 0])
            let sent = try await visitor.get(path).text
            #expect(sent.contains("no device event of the same notification"))
            #expect(sent.contains("No app has registered the token") && sent.contains("PUT /v1/devices/"))
            #expect(sent.contains("&lt;b&gt;shop&lt;/b&gt;") && !sent.contains("<b>shop"))
            let times = #""occurred_at":\#(Instant.now.millisecondsSinceEpoch)"#
            let arrival = #"{"type":"arrival","notification_id":"\#(notificationID(1))",\#(times)}"#
            #expect(try await server.post(arrival, as: .device).counts == [1, 0, 0])
            let met = try await visitor.get(path).text
            #expect(met.contains("Connected: a response and a device event of \(notificationID(1))"))
            #expect(met.contains(#"href="/apps/shop/explain?notification=\#(notificationID(1))""#))
            #expect(!met.contains("aaaa"))
        }
    }

    @Test("each sender that posts by itself has its hook on the server")
    func hooks() async throws {
        try await TestServer.run { server in
            for sender in ConnectableSender.all where sender.way == .hook {
                let hook = try await server.send(.get, "/v1/intake/\(sender.name)", as: .server)
                #expect(hook.status == 200, "\(sender.name)")
            }
            #expect(try await server.send(.get, "/v1/intake/pigeon", as: .server).status == 404)
        }
    }
}
