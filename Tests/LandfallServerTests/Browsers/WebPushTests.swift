import Access
import ChildPrograms
import DeliveryModel
import Foundation
import HTTPTypes
import PostgresClient
import Synchronization
import TestBrowser
import TestDatabase
import Testing

/// `clients/web/landfall-sw.js` in Chromium, with the code that docs/kit.md shows.
@Suite(.database, .timeLimit(.minutes(40))) struct WebPushTests {
    private static let endpoint = "https://push.example.com/subscription/1"

    private struct Notification {
        let id: String
        let state: DeliveryState
        let action: String
        let version: String
    }

    private func notifications() async throws -> [Notification] {
        try await TestDatabase.current.query(
            """
            SELECT notification_id::text, state, coalesce(action, ''), coalesce(arrived_version, '')
              FROM landfall.delivery ORDER BY notification_id
            """
        ) { row in
            Notification(
                id: try row.get(0, as: String.self),
                state: DeliveryState(rawValue: try row.get(1, as: Int32.self)),
                action: try row.get(2, as: String.self), version: try row.get(3, as: String.self))
        }
    }

    private func response(_ number: Int, _ field: String = "notification_id") -> String {
        """
        {"type":"response","\(field)":"\(notificationID(number))","provider":"webpush","status":201,\
        "token":"\(Self.endpoint)"}
        """
    }

    private func events(_ type: String, _ verdict: String, at server: ServedApplication) async throws
        -> Double?
    {
        try await server.metric(#"landfall_events_total{type="\#(type)",verdict="\#(verdict)"}"#)
    }

    /// Opens a web app in a new browser. It reaches Landfall through the gateway, which loses everything at
    /// first.
    private func open(
        key: String = "lf_device_any", isModule: Bool = false,
        _ body: (WebPhone, Gateway, _ shop: WebSite) async throws -> Void
    ) async throws {
        let gateway = Gateway()
        try await gateway.serve { landfall in
            try await WebShop.serve(landfall: landfall, key: key) { shop in
                try await Browser.run {
                    try await body(WebPhone.open(shop, in: $0, isModule: isModule), gateway, shop)
                }
            }
        }
    }

    @Test("the file is smaller than 3,000 bytes")
    func size() throws { #expect(try WebShop.helper().utf8.count < 3_000) }

    @Test("pushes arrive, are clicked and dismissed, by the device that the page registered")
    func life() async throws {
        let (app, keys) = try await TestServer.makeApp("shop")
        let (key, senderKey) = (try #require(keys[.device]), try #require(keys[.server]))
        try await ServedApplication.run { server async throws in
            try await open(key: key) { phone, gateway, shop in
                gateway.choose(.landfall(server.port))
                try await app.allow(shop.origin)
                try await phone.succeeds("register({endpoint: '\(Self.endpoint)'})")
                // With the credential that the first registration returned.
                try await phone.succeeds("start()")
                let sender = PersistentClient(key: senderKey, port: { server.port })
                let responses = (1...3).map { response($0) } + [response(4, "message_id")]
                try await sender.post(Array("[\(responses.joined(separator: ","))]".utf8))

                for number in 1...3 { try await phone.push(notificationID(number)) }
                // A message is the same notification only with the device's id.
                try await phone.push(["title": "To all", "landfall": ["message": .text(notificationID(4))]])
                try await phone.showing(4)
                try await phone.fire("notificationclick", notificationID(1), action: "track")
                try await phone.fire("notificationclick", notificationID(2))
                try await phone.fire("notificationclose", notificationID(3))
                try await phone.waitUntilPosted()

                let seen = try await notifications()
                #expect(seen.count == 4)
                for notification in seen {
                    #expect(notification.state.isSuperset(of: [.attempted, .accepted, .arrived]))
                    #expect(notification.state.isDisjoint(with: [.misdirected, .witnessed]))
                    #expect(notification.version == "7.2.0")
                }
                for (number, signs, action) in [
                    (1, DeliveryState.clicked, "track"), (2, .clicked, ""), (3, .dismissed, ""),
                ] {
                    let notification = try #require(seen.first { $0.id == notificationID(number) })
                    #expect(notification.state.intersection([.clicked, .dismissed]) == signs)
                    #expect(notification.action == action)
                }
                let devices = try await TestDatabase.current.query(
                    "SELECT DISTINCT device_id::text FROM landfall.installation"
                ) { try $0.get(0, as: String.self) }
                #expect(try await devices == [phone.device()])
            }
        }
    }

    @Test("ids that are texts or numbers are posted as they are, and meet the sender's responses")
    func textIDs() async throws {
        let (app, keys) = try await TestServer.makeApp("shop")
        let (key, senderKey) = (try #require(keys[.device]), try #require(keys[.server]))
        try await ServedApplication.run { server async throws in
            try await open(key: key) { phone, gateway, shop in
                gateway.choose(.landfall(server.port))
                try await app.allow(shop.origin)
                let responses = [#""order-4711""#, #""4711""#].map { id in
                    """
                    {"type":"response","notification_id":\(id),"sent_at":\(Instant.now.millisecondsSinceEpoch),\
                    "provider":"webpush","status":201,"token":"\(Self.endpoint)"}
                    """
                }
                let sender = PersistentClient(key: senderKey, port: { server.port })
                try await sender.post(Array("[\(responses.joined(separator: ","))]".utf8))
                try await phone.push("order-4711")
                try await phone.push(["title": "A number", "landfall": ["id": .number(4_711)]])
                try await phone.showing(2)
                try await phone.waitUntilPosted()

                let seen = try await notifications()
                #expect(
                    Set(seen.map(\.id))
                        == Set(
                            try ["order-4711", "4711"].map {
                                try ChosenID($0).uuid(inApp: app.appID).uuidString.lowercased()
                            }))
                #expect(seen.allSatisfy { $0.state.isSuperset(of: [.attempted, .accepted, .arrived]) })
            }
        }
    }

    @Test("a device that was erased begins with a new id")
    func erased() async throws {
        let (app, keys) = try await TestServer.makeApp("shop")
        let (key, senderKey) = (try #require(keys[.device]), try #require(keys[.server]))
        try await ServedApplication.run { server async throws in
            try await open(key: key) { phone, gateway, shop in
                gateway.choose(.landfall(server.port))
                try await app.allow(shop.origin)
                try await phone.succeeds("register()")
                let device = try await phone.device()
                let erasure = try await PatientClient(port: server.port).send(
                    .delete, "/v1/devices/\(device)", [], headers: [.authorization: "Bearer \(senderKey)"])
                #expect(erasure.status == 200)
                try await waiting("a new id") {
                    try await phone.page.evaluate("register().catch(() => false)")
                    return try await phone.device() != device
                }
                try await phone.succeeds("register()")
            }
        }
    }

    @Test(
        "Landfall's fields are found wherever senders put them, and other pushes are ignored, in any type of worker",
        arguments: [false, true])
    func payloads(isModule: Bool) async throws {
        try await open(isModule: isModule) { phone, _, _ in
            let payloads: [DevToolsValue] = [
                ["title": "a", "landfall": ["id": "1", "receipt": "r"]],
                ["title": "b", "landfall": ["message": "2"]],
                ["data": ["landfall": #"{"id":"3"}"#], "fcmMessageId": "x"],
                ["title": "d", "data": ["deep": [["landfall": ["id": "4"]]]]],
                ["title": "no fields"],
                ["title": "both", "landfall": ["id": "5", "message": "6"]],
            ]
            for (number, payload) in payloads.enumerated() {
                try await phone.push(payload)
                // One by one, for their order.
                try await phone.showing(number + 1)
            }
            try await phone.wait(for: (1...5).map { "arrival \($0)" })
        }
    }

    @Test("what cannot be posted waits in the browser, past other networks' responses, and is recorded once")
    func away() async throws {
        let (app, keys) = try await TestServer.makeApp("shop")
        try await open(key: try #require(keys[.device])) { phone, gateway, shop in
            try await app.allow(shop.origin)
            // The push service may deliver a push twice.
            for number in [1, 2, 2] { try await phone.push(notificationID(number)) }
            try await phone.showing(3)
            try await phone.fire("notificationclick", notificationID(2), action: "track")
            let arrivals = [1, 2, 2].map { "arrival \(notificationID($0))" }
            let expected = arrivals + ["click \(notificationID(2)) track"]
            try await waiting("all events") { try await phone.waiting().sorted() == expected.sorted() }

            try await waiting("Background Sync") { try await phone.syncTags() == ["landfall"] }
            #expect(try await phone.wantsAnotherSync())

            let others: [Gateway.Reply] = [
                .init(status: .ok, body: "<title>Sign in</title>"), .init(status: .ok, body: "null"),
                .init(status: .ok, body: #"{"accepted":1,"duplicates":0,"rejected":0}"#),
                .init(status: .noContent), .init(status: .badRequest, body: "<title>Sign in</title>"),
                .init(status: .badRequest, body: "{}"), .init(status: .forbidden, body: #"{"code":"any"}"#),
                .init(status: .serviceUnavailable, body: #"{"code":"overloaded"}"#),
            ]
            for other in others {
                gateway.choose(.reply { _ in other })
                try await phone.sync()
                try await gateway.wait(forPosts: 1)
                try await phone.settle()
                #expect(gateway.posts.allSatisfy { $0.count == 4 })
                #expect(try await phone.waiting().sorted() == expected.sorted(), "\(other)")
            }

            try await ServedApplication.run { server async throws in
                gateway.choose(.landfall(server.port))
                try await phone.waitUntilPosted()
                #expect(try await !phone.wantsAnotherSync())
                #expect(try await notifications().map(\.action) == ["", "track"])
                #expect(try await events("arrival", "accepted", at: server) == 2)
                #expect(try await events("click", "accepted", at: server) == 1)
            }
        }
    }

    @Test("what waits outlives the browser, and the next push posts it")
    func restart() async throws {
        let (app, keys) = try await TestServer.makeApp("shop")
        let key = try #require(keys[.device])
        let profile = try ThrowawayFolder.create(for: "profile")
        defer { try? profile.remove() }
        let gateway = Gateway()
        try await gateway.serve { landfall in
            try await WebShop.serve(landfall: landfall, key: key) { shop in
                try await app.allow(shop.origin)
                try await Browser.run(profile: profile.url) { browser in
                    let phone = try await WebPhone.open(shop, in: browser)
                    try await phone.push(notificationID(1))
                    try await phone.showing(1)
                    try await phone.wait(for: ["arrival \(notificationID(1))"])
                }
                try await Browser.run(profile: profile.url) { browser in
                    let phone = try await WebPhone.open(shop, in: browser)
                    #expect(try await phone.waiting() == ["arrival \(notificationID(1))"])
                    try await ServedApplication.run { server async throws in
                        gateway.choose(.landfall(server.port))
                        try await phone.push(notificationID(2))
                        try await phone.showing(1)
                        try await phone.waitUntilPosted()
                        #expect(try await notifications().map(\.id) == [1, 2].map { notificationID($0) })
                    }
                }
            }
        }
    }

    @Test("an event that the server rejects, or cannot read, does not hold up the others")
    func badEvents() async throws {
        let (app, keys) = try await TestServer.makeApp("shop")
        try await open(key: try #require(keys[.device])) { phone, gateway, shop in
            try await app.allow(shop.origin)
            for id in ["null", notificationID(1)] { try await phone.push(id) }
            try await phone.showing(2)
            try await ServedApplication.run { server async throws in
                gateway.choose(.landfall(server.port))
                try await phone.waitUntilPosted()
                #expect(try await notifications().map(\.id) == [notificationID(1)])
                #expect(
                    try await TestDatabase.current.count("SELECT count(*) FROM landfall.quarantined_item")
                        == 1)
            }

            let recorded = Mutex<[String]>([])
            for status in [HTTPResponse.Status.badRequest, .contentTooLarge, .unprocessableContent] {
                recorded.withLock { $0 = [] }
                gateway.choose(.nowhere)
                try await phone.fill(150)
                gateway.choose(
                    .reply { ids in
                        if ids.contains("70") { return .init(status: status, body: #"{"code":"any"}"#) }
                        recorded.withLock { $0 += ids }
                        return .taken(ids.count)
                    })
                try await phone.waitUntilPosted()
                #expect(recorded.withLock { $0 } == (0..<150).filter { $0 != 70 }.map(String.init))
            }
        }
    }

    @Test(
        "the newest 1,000 events wait, each event posts them in requests of 100, and Retry-After is observed")
    func bounds() async throws {
        try await open { phone, gateway, _ in
            gateway.choose(
                .reply { _ in
                    .init(status: .tooManyRequests, headers: [.retryAfter: "3600"], body: #"{"code":"any"}"#)
                })
            try await phone.withoutSync()
            try await phone.fill(1_000)
            try await phone.push("last")
            try await gateway.wait(forPosts: 1)
            try await phone.settle()
            let waiting = try await phone.waiting()
            #expect(waiting.count == 1_000)
            #expect(waiting.first == "arrival 1")
            #expect(waiting.last == "arrival last")
            #expect(try await phone.page.evaluate("flush()") == false)
            #expect(gateway.posts == [(1...100).map(String.init)])

            gateway.choose(.reply { .taken($0.count) })
            try await phone.page.evaluate("state({until: 0})")
            #expect(try await phone.page.evaluate("flush()") == true)
            #expect(gateway.posts.map(\.count) == Array(repeating: 100, count: 10))
            #expect(Set(gateway.posts.joined()).count == 1_000)
            #expect(try await phone.waiting() == [])
        }
    }

    @Test("a page whose origin the app does not list records nothing, and its events wait until it does")
    func foreignOrigin() async throws {
        let (app, keys) = try await TestServer.makeApp("shop")
        let (other, _) = try await TestServer.makeApp("other")
        try await ServedApplication.run { server async throws in
            try await open(key: try #require(keys[.device])) { phone, gateway, shop in
                gateway.choose(.landfall(server.port))
                // So that the preflight passes.
                try await other.allow(shop.origin)
                try await phone.push(notificationID(1))
                try await phone.showing(1)
                try await waiting("a rejected request") {
                    try await phone.sync()
                    let rejected =
                        #"landfall_browser_requests_total{kind="request",verdict="origin_not_allowed"}"#
                    return try await server.metric(rejected) ?? 0 > 0
                }
                try await phone.settle()
                #expect(try await notifications().isEmpty)
                #expect(try await phone.waiting() == ["arrival \(notificationID(1))"])

                try await app.allow(shop.origin)
                try await phone.waitUntilPosted()
                #expect(try await notifications().map(\.id) == [notificationID(1)])
            }
        }
    }
}

extension Gateway.Reply {
    /// Landfall's response to this many events, one of which it rejects.
    fileprivate static func taken(_ count: Int) -> Self {
        .init(status: .ok, body: #"{"accepted":\#(count - 1),"duplicates":0,"rejected":1}"#)
    }
}
