import AsyncHTTPClient
import DeliveryModel
import Foundation
import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1
import People
import PostgresClient
import TestDatabase
import Testing

@testable import LandfallServer

/// The page of what was just recorded, and its stream.
@Suite(.database, .timeLimit(.minutes(40))) struct LivePageTests {
    private static let markup = #"<script>alert(1)</script>\"'"#

    private func response(_ number: Int, campaign: String = "spring", status: String = "200") -> String {
        """
        {"type":"response","notification_id":"\(notificationID(number))","provider":"apns","status":\(status),\
        "token":"\(tokenValue(number))","campaign":"\(campaign)"}
        """
    }

    /// Calls the body with the text of a stream whenever there is more of it, until it returns true or the
    /// stream ends.
    private func follow(
        _ visitor: ConsoleVisitor, _ path: String, until isEnough: (String) async throws -> Bool
    ) async throws -> (response: HTTPClientResponse, text: String) {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(visitor.port)\(path)")
        request.headers.add(name: "Cookie", value: visitor.cookie)
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(80))
        var text = ""
        for try await part in response.body {
            text += String(buffer: part)
            if try await isEnough(text) { break }
        }
        return (response, text)
    }

    @Test("the page and the stream show what was accepted, repeated and rejected, and no token")
    func shown() async throws {
        try await TestServer.run { server in
            let visitor = try await ConsoleVisitor.signedIn(server, as: .viewer, in: server.app)
            #expect(try await visitor.get("/apps/shop/live").text.contains("Nothing yet"))
            let click = """
                {"type":"click","notification_id":"\(notificationID(1))","occurred_at":"\(Instant.now.rfc3339)"}
                """
            let items = [
                response(1), response(1), response(2, campaign: Self.markup),
                response(3, status: #"410,"reason":"Unregistered""#), click,
                #"{"type":"nothing","token":"\#(tokenValue(4))"}"#,
            ]
            // The first post goes through the router, because its key is not known yet, and the second past
            // it.
            for item in [items[0], "[\(items.dropFirst().joined(separator: ","))]"] {
                #expect(try await server.post(item).status == 200)
            }
            let page = try await visitor.get("/apps/shop/live").text
            let stream = try await follow(visitor, "/apps/shop/live/events") {
                $0.contains("\n\nevent: all") && $0.hasSuffix("\n\n")
            }
            #expect(stream.response.headers["Content-Type"] == ["text/event-stream"])
            #expect(stream.response.headers["X-Accel-Buffering"] == ["no"])
            let streamed = stream.text.replacing("data: ", with: "")
            for text in [page, streamed] {
                for words in [
                    ">accepted<", ">duplicate<", "<code>unknown_type</code>", ">response<", ">click<",
                    ">item<",
                    "<bdi>spring</bdi>", "<bdi>APNs 200</bdi>", "<bdi>APNs 410 Unregistered</bdi>",
                    "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;",
                    #"href="/apps/shop/explain?notification=\#(notificationID(3))""#,
                ] {
                    #expect(text.contains(words), "\(words)")
                }
                #expect(text.matches(of: #/<tr>\n<td>20/#).count == 6)
                #expect(!text.contains("<script>alert"))
                #expect(!text.contains("aaaa"))
            }
            let link = "/apps/shop/explain?notification=\(notificationID(3))"
            #expect(try await visitor.get(link).text.contains("410 Unregistered"))
        }
    }

    @Test("a stream goes on with what is recorded after it began, and ends when the server does")
    func followed() async throws {
        let (texts, text) = AsyncStream<String>.makeStream()
        try await TestServer.run { server in
            let visitor = try await ConsoleVisitor.signedIn(server)
            _ = Task {
                do {
                    _ = try await follow(visitor, "/apps/shop/live/events") {
                        text.yield($0)
                        return false
                    }
                } catch {
                    text.yield("failed: \(error)")
                }
                text.finish()
            }
            var (iterator, last) = (texts.makeAsyncIterator(), "")
            while !last.contains("Nothing yet"), let text = await iterator.next() { last = text }
            #expect(try await server.post(response(7)).counts == [1, 0, 0])
            while !last.contains("event: lines"), let text = await iterator.next() { last = text }
            #expect(last.components(separatedBy: "event: lines").last?.contains(notificationID(7)) == true)
        }
        var rest: [String] = []
        for await text in texts { rest.append(text) }
        #expect(rest.filter { $0.hasPrefix("failed") } == [])
    }

    @Test(
        "a stream ends when its person may no longer see the app",
        arguments: [("live/events", "revoke"), ("changes", "remove"), ("changes", "sign out")])
    func rightEnds(stream: String, change: String) async throws {
        try await TestServer.run { server in
            let visitor = try await ConsoleVisitor.signedIn(server, as: .viewer, in: server.app)
            var isChanged = false
            // If the stream did not end, the request would fail after 80 seconds.
            let (_, text) = try await follow(visitor, "/apps/shop/\(stream)") { _ in
                guard !isChanged else { return false }
                isChanged = true
                try await TestDatabase.current.front.pool.withConnection { [app = server.app] connection in
                    let name = "ada@example.com"
                    switch change {
                    case "revoke": _ = try PeopleDirectory.revokeGrant(in: app, of: name, on: connection)
                    case "remove": try PeopleDirectory.remove(name, on: connection)
                    default:
                        guard let ada = try PeopleDirectory.find(name, on: connection) else { return }
                        try Sessions.endAll(of: ada, on: connection)
                    }
                }
                return false
            }
            #expect(text.hasPrefix("retry:"))
        }
    }

    @Test("a person's sixth stream ends the first, and none of others")
    func mostPerPerson() async throws {
        try await TestServer.run { server in
            let ada = try await ConsoleVisitor.signedIn(server)
            let ben = try await ConsoleVisitor.signedIn(server, name: "ben")
            let (ends, end) = AsyncStream<String>.makeStream()
            let (begun, begin) = AsyncStream<Void>.makeStream()
            var beginnings = begun.makeAsyncIterator()
            func open(_ name: String, _ visitor: ConsoleVisitor, _ path: String) async -> Task<
                Void, any Error
            > {
                let task = Task {
                    var isNew = true
                    _ = try await follow(visitor, path) { _ in
                        if isNew { begin.yield() }
                        isNew = false
                        return false
                    }
                    end.yield(name)
                }
                await beginnings.next()
                return task
            }
            var tasks = [await open("ben", ben, "/apps/shop/changes")]
            for number in 1...6 {
                let path = number % 2 == 0 ? "/apps/shop/changes" : "/apps/shop/live/events"
                tasks.append(await open("ada \(number)", ada, path))
            }
            for await name in ends {
                #expect(name == "ada 1")
                break
            }
            for task in tasks { task.cancel() }
        }
    }

    @Test("streams that are asked for their head only leave room for others")
    func heads() async throws {
        try await TestServer.run { server in
            let visitor = try await ConsoleVisitor.signedIn(server)
            for _ in 0..<60 {
                let head = try await PatientClient(port: server.port).send(
                    .head, "/apps/shop/live/events", [], headers: [.cookie: visitor.cookie])
                #expect(head.status == 200)
            }
            let stream = try await follow(visitor, "/apps/shop/live/events") { _ in true }
            #expect(stream.response.status.code == 200)
        }
    }

    @Test("only who may see the app may follow it")
    func strangers() async throws {
        try await TestServer.run { server in
            _ = try await TestServer.makeApp("bank")
            let visitor = try await ConsoleVisitor.signedIn(server, as: .viewer, in: server.app)
            for path in ["live", "live/events"] {
                #expect(try await visitor.get("/apps/bank/\(path)").status == 404)
                #expect(try await visitor.get("/apps/none/\(path)").status == 404)
                #expect(try await ConsoleVisitor(server).get("/apps/shop/\(path)").status == 303)
            }
        }
    }

    @Test("the address of a story names a notification by its id, never a token")
    func storyAddress() async throws {
        try await TestServer.run { server in
            let visitor = try await ConsoleVisitor.signedIn(server)
            #expect(try await server.post(response(1)).counts == [1, 0, 0])
            let path = "/apps/shop/explain?notification="
            let story = try await visitor.get(path + notificationID(1))
            #expect(story.status == 200)
            #expect(story.text.contains("Notification \(notificationID(1))"))
            let unknown = try await visitor.get(path + notificationID(9))
            #expect(unknown.status == 200)
            #expect(unknown.text.contains(#"class="mistake""#))
            for other in [tokenValue(1), "%231"] {
                let response = try await visitor.get(path + other)
                #expect(response.text.contains(#"class="mistake""#))
                #expect(!response.text.contains("class=\"card wide story\""))
            }
            #expect(try await visitor.get(path).status == 400)
            let spaced = try await visitor.get(path + "\(notificationID(1))%20")
            #expect(spaced.text.contains("Notification \(notificationID(1))"))
        }
    }

    @Test("without the console, nothing is kept")
    func disabled() async throws {
        var configuration = ServerConfiguration(testing: TestDatabase.current.url)
        configuration.allowsUnsafeDatabase = true
        configuration.web.isEnabled = false
        let backend = try await Backend.open(
            configuration, tokenKey: testTokenKey,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        #expect(backend.tail == nil)
        try await backend.close()
    }
}
