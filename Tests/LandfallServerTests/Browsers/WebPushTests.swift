import Access
import ChildPrograms
import DeliveryModel
import Foundation
import HTTPTypes
import Hummingbird
import Instants
import PostgresClient
import Synchronization
import TestBrowser
import TestDatabase
import Testing

/// `clients/web/landfall-sw.js` in Chromium, with the code that docs/kit-web.md shows.
@Suite(.database) struct WebPushTests {
    private static let endpoint = "https://push.example.com/subscription/1"

    /// What is known of each notification, by id.
    private func notifications() async throws -> [String: (
        state: DeliveryState, action: String, version: String
    )] {
        let rows = try await TestDatabase.current.query(
            """
            SELECT notification_id::text, state, coalesce(action, ''), coalesce(arrived_version, '')
            FROM landfall.delivery
            """
        ) { row in
            (
                try row.get(0, as: String.self), try row.get(1, as: Int32.self),
                try row.get(2, as: String.self),
                try row.get(3, as: String.self)
            )
        }
        return Dictionary(
            uniqueKeysWithValues: rows.map { ($0.0, (DeliveryState(rawValue: $0.1), $0.2, $0.3)) })
    }

    private func response(_ number: Int) -> String {
        """
        {"type":"response","notification_id":"\(notificationID(number))","provider":"webpush","status":201,\
        "token":"\(Self.endpoint)"}
        """
    }

    @Test("the file is smaller than 3,000 bytes")
    func size() throws { #expect(try WebFiles.helper().utf8.count < 3_000) }

    @Test(
        "in Chromium, pushes arrive, are clicked and dismissed, by the device that the page registered",
        .timeLimit(.minutes(15)))
    func life() async throws {
        let (app, keys) = try await TestServer.makeApp("shop")
        let (key, senderKey) = (try #require(keys[.device]), try #require(keys[.server]))
        try await ServedApplication.run { served async throws in
            let files = try WebFiles(landfall: served.port, key: key)
            try await files.serve { site in
                try await app.allow(site.origin)
                try await Browser.run { browser in
                    let phone = try await WebPhone.open(site, in: browser)
                    #expect(try await phone.page.evaluate("register({endpoint: '\(Self.endpoint)'})") == true)
                    // With the credential that the first registration returned.
                    #expect(try await phone.page.evaluate("start()") == true)
                    let sender = PersistentClient(key: senderKey, port: { served.port })
                    try await sender.post(Array("[\((1...3).map(response).joined(separator: ","))]".utf8))

                    for number in 1...3 { try await phone.push(notificationID(number)) }
                    try await phone.showing(3)
                    try await phone.fire("notificationclick", notificationID(1), action: "track")
                    try await phone.fire("notificationclick", notificationID(2))
                    try await phone.fire("notificationclose", notificationID(3))
                    try await phone.wait(until: [])

                    let seen = try await notifications()
                    #expect(seen.count == 3)
                    for (number, sign, action) in [
                        (1, DeliveryState.clicked, "track"), (2, .clicked, ""), (3, .dismissed, ""),
                    ] {
                        let row = try #require(seen[notificationID(number)])
                        #expect(row.state.isSuperset(of: [.attempted, .accepted, .arrived, sign]))
                        #expect(row.state.isDisjoint(with: [.misdirected, .witnessed]))
                        #expect(row.state.contains(.clicked) == (sign == .clicked))
                        #expect(row.action == action)
                        #expect(row.version == "7.2.0")
                    }
                    let devices = try await TestDatabase.current.query(
                        "SELECT DISTINCT device_id::text FROM landfall.installation"
                    ) { try $0.get(0, as: String.self) }
                    let known = try await phone.page.evaluate("state().then((state) => state.device)").text
                    #expect(devices == [known])
                }
            }
        }
    }

    @Test(
        "what cannot be posted waits in the browser, past other networks' responses, and is recorded once",
        .timeLimit(.minutes(15)))
    func away() async throws {
        let (app, keys) = try await TestServer.makeApp("shop")
        let key = try #require(keys[.device])
        let folder = try ThrowawayFolder.create(for: "web-push")
        defer { try? folder.remove() }
        // Free again once the site has ended, and known to no one else.
        let port = try await WebSite.serve(Router()) { $0.port }
        let files = try WebFiles(landfall: port, key: key)
        try await files.serve { site in
            try await app.allow(site.origin)
            try await Browser.run { browser in
                let phone = try await WebPhone.open(site, in: browser)
                for number in [1, 2, 2] { try await phone.push(notificationID(number)) }
                try await phone.showing(3)
                try await phone.fire("notificationclick", notificationID(2), action: "track")
                let waiting = [
                    "arrival \(notificationID(1))", "arrival \(notificationID(2))",
                    "click \(notificationID(2)) track",
                ]
                try await phone.wait(until: waiting)

                // The browser may also try by itself.
                let portal = OtherNetwork { _ in .init(status: .ok, body: "<title>Sign in</title>") }
                try await portal.serve(port: port) { _ in
                    try await phone.sync()
                    try await portal.wait(forPosts: 1)
                    try await phone.settle()
                }
                #expect(Set(portal.posted) == [3])
                #expect(try await phone.waiting() == waiting)

                let narrow = OtherNetwork { .init(status: $0 > 1 ? .contentTooLarge : .badGateway) }
                try await narrow.serve(port: port) { _ in
                    try await phone.sync()
                    try await narrow.wait(forPosts: 2)
                    try await phone.settle()
                }
                #expect(narrow.posted.prefix(2) == [3, 1])
                #expect(try await phone.waiting() == waiting)

                let server = try await StartedServer.start(
                    database: TestDatabase.current.url, dataFolder: folder.url, port: port)
                defer { server.kill() }
                try await phone.sync()
                try await phone.wait(until: [])
                #expect(try await notifications().count == 2)
                let lines = try await metrics(of: server)
                #expect(lines.contains(#"landfall_events_total{type="arrival",verdict="accepted"} 2"#))
                #expect(lines.contains(#"landfall_events_total{type="click",verdict="accepted"} 1"#))
                #expect(!lines.contains { $0.contains(#"verdict="duplicate"} "#) && !$0.hasSuffix(" 0") })
            }
        }
    }

    private func metrics(of server: StartedServer) async throws -> [String] {
        let response = try await PatientClient(port: server.port).send(.get, "/metrics", [], headers: [:])
        return response.text.split(separator: "\n").map(String.init)
    }

    @Test(
        "the newest 1,000 events wait, they are posted in requests of 100, and Retry-After is observed",
        .timeLimit(.minutes(15)))
    func bounds() async throws {
        let isOpen = Mutex(false)
        let landfall = OtherNetwork { count in
            guard isOpen.withLock({ $0 }) else {
                return .init(status: .tooManyRequests, headers: [.retryAfter: "3600"])
            }
            return .init(status: .ok, body: #"{"accepted":\#(count - 1),"duplicates":0,"rejected":1}"#)
        }
        try await landfall.serve { there in
            let files = try WebFiles(landfall: there.port, key: "lf_device_any")
            try await files.serve { site in
                try await Browser.run { browser in
                    let phone = try await WebPhone.open(site, in: browser)
                    try await phone.fill(1_000)
                    try await phone.push(notificationID(1))
                    try await phone.showing(1)
                    try await phone.settle()
                    let waiting = try await phone.waiting()
                    #expect(waiting.count == 1_000)
                    #expect(waiting.first == "arrival 1")
                    #expect(waiting.last == "arrival \(notificationID(1))")
                    #expect(landfall.posted == [100])

                    isOpen.withLock { $0 = true }
                    #expect(try await phone.page.evaluate("flush()") == false)
                    #expect(landfall.posted == [100])
                    try await phone.page.evaluate("state({until: 0})")
                    #expect(try await phone.page.evaluate("flush()") == true)
                    #expect(landfall.posted == Array(repeating: 100, count: 11))
                    try await phone.wait(until: [])
                }
            }
        }
    }
}

/// The files of a web app: the helper as it is, and the code of the documentation with this server and key.
private struct WebFiles {
    let landfall: Int
    let key: String
    private let helper: String
    private let page: String

    init(landfall: Int, key: String) throws {
        (self.landfall, self.key, helper) = (landfall, key, try Self.helper())
        page = try Self.text("docs/kit-web.md")
    }

    static func helper() throws -> String { try text("clients/web/landfall-sw.js") }

    private static func text(_ path: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    struct NotFound: Error {
        let name: String
    }

    /// The code block that begins with the name of a file.
    private func code(_ name: String) throws -> String {
        guard let block = page.components(separatedBy: "```").first(where: { $0.contains("// \(name)\n") })
        else {
            throw NotFound(name: name)
        }
        return block.dropFirst("js".count).replacingOccurrences(
            of: "https://push.example.com", with: "http://127.0.0.1:\(landfall)"
        ).replacingOccurrences(of: "lf_device_…", with: key)
    }

    func serve(_ body: (WebSite) async throws -> Void) async throws {
        let router = Router()
        router.file("/landfall-sw.js", "text/javascript", helper)
        router.file("/sw.js", "text/javascript", try code("sw.js"))
        router.file("/push.js", "text/javascript", try code("push.js"))
        router.file(
            "/", "text/html",
            "<!doctype html><title>Shop</title><script src=/landfall-sw.js></script><script src=/push.js></script>"
        )
        try await WebSite.serve(router, body)
    }
}

/// The page of the web app in a browser, and its service worker.
private struct WebPhone {
    let page: Page
    private let worker: Page
    private let origin: String
    private let registration: DevToolsValue

    static func open(_ site: WebSite, in browser: Browser) async throws -> WebPhone {
        try await browser.grant(["notifications"], to: site.origin)
        let page = try await browser.open(site.origin + "/")
        try await page.send("ServiceWorker.enable")
        // Not every server of these tests registers.
        try await page.evaluate(
            "start().catch(() => {}).then(() => navigator.serviceWorker.ready).then(() => true)")
        let registered = try await page.event("ServiceWorker.workerRegistrationUpdated") {
            !$0["registrations"].items.isEmpty
        }
        let phone = WebPhone(
            page: page, worker: try await browser.serviceWorker(site.origin + "/sw.js"), origin: site.origin,
            registration: registered["registrations"][0]["registrationId"])
        try await phone.countShown()
        return phone
    }

    func push(_ id: String) async throws {
        let payload: DevToolsValue = [
            "title": "On its way", "body": "Today", "url": "/", "landfall": ["id": .text(id)],
        ]
        try await page.send(
            "ServiceWorker.deliverPushMessage",
            ["origin": .text(origin), "registrationId": registration, "data": .text(payload.script)])
    }

    /// Counts what is shown. Asking `getNotifications()` too early would not do: Chromium then forgets what it has not shown yet.
    private func countShown() async throws {
        try await worker.evaluate(
            """
            globalThis.shown = 0;
            const show = registration.showNotification.bind(registration);
            registration.showNotification = (...all) => show(...all).then(() => { shown += 1 });
            true
            """)
    }

    /// Waits until this many notifications are shown.
    func showing(_ count: Int) async throws { try await worker.wait(until: "shown == \(count)") }

    /// Fires an event about a notification that is shown, and waits for its listeners. The protocol cannot click; the listeners cannot
    /// tell, except that a page opens only for a person.
    func fire(_ type: String, _ id: String, action: String = "") async throws {
        try await worker.evaluate(
            """
            (async () => {
              const all = await registration.getNotifications();
              const notification = all.find(({data}) => data.landfall.id == "\(id)");
              const event = new NotificationEvent("\(type)", {notification, action: "\(action)"});
              const promises = [];
              event.waitUntil = (promise) => promises.push(promise);
              dispatchEvent(event);
              await Promise.allSettled(promises);
            })()
            """)
    }

    /// Lets Background Sync try again.
    func sync() async throws {
        try await page.send(
            "ServiceWorker.dispatchSyncEvent",
            ["origin": .text(origin), "registrationId": registration, "tag": "landfall", "lastChance": false])
    }

    /// Waits until no upload is in progress.
    func settle() async throws { try await page.evaluate("navigator.locks.request('landfall', () => true)") }

    /// The type, id and action of each waiting event, oldest first.
    func waiting() async throws -> [String] {
        try await store("store.getAll()").items.filter { $0["n"] != "state" }.map { item in
            let event = item["event"]
            return [event["type"], event["notification_id"], event["action"]]
                .compactMap(\.text).filter { !$0.isEmpty }.joined(separator: " ")
        }
    }

    /// Waits until these are the events that wait.
    func wait(until expected: [String]) async throws {
        let deadline = ContinuousClock.now + Browser.patience
        while ContinuousClock.now < deadline {
            if try await waiting() == expected { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(try await waiting() == expected)
    }

    /// Adds waiting arrivals of the notifications 0, 1, ….
    func fill(_ count: Int) async throws {
        try await store(
            """
            (() => {
              for (let number = 0; number < \(count); number++)
                store.add({name: "arrival" + number, event: {type: "arrival", notification_id: "" + number}});
              return store.count();
            })()
            """)
    }

    /// The result of a request to the object store of the helper.
    @discardableResult
    private func store(_ request: String) async throws -> DevToolsValue {
        try await page.evaluate(
            """
            (async () => {
              const done = (request) => new Promise((resolve, reject) => {
                request.onsuccess = () => resolve(request.result);
                request.onerror = () => reject(request.error);
              });
              const database = await done(indexedDB.open("landfall", 1));
              const store = database.transaction("events", "readwrite").objectStore("events");
              const result = await done(\(request));
              database.close();
              return result;
            })()
            """)
    }
}

/// What responds at Landfall's address instead of Landfall. Pages may read it.
private final class OtherNetwork: Sendable {
    struct Reply {
        var status: HTTPResponse.Status
        var headers: HTTPFields = [:]
        var body = ""
    }

    private let sizes = Mutex<[Int]>([])
    private let reply: @Sendable (_ events: Int) -> Reply

    init(_ reply: @escaping @Sendable (_ events: Int) -> Reply) { self.reply = reply }

    /// The number of events in each post.
    var posted: [Int] { sizes.withLock { $0 } }

    func wait(forPosts count: Int) async throws {
        let deadline = ContinuousClock.now + Browser.patience
        while posted.count < count, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    func serve(port: Int = 0, _ body: (WebSite) async throws -> Void) async throws {
        let router = Router()
        let readable: HTTPFields = [
            .accessControlAllowOrigin: "*", .accessControlAllowHeaders: "Authorization, Content-Type",
            .accessControlExposeHeaders: "Retry-After",
        ]
        router.on("/v1/events", method: .options) { _, _ in
            Hummingbird.Response(status: .noContent, headers: readable)
        }
        router.post("/v1/events") { request, _ in
            let bytes = Data(try await request.body.collect(upTo: 1 << 20).readableBytesView)
            let count = (try JSONSerialization.jsonObject(with: bytes) as? [Any])?.count ?? 0
            self.sizes.withLock { $0.append(count) }
            let reply = self.reply(count)
            var headers = readable
            headers.append(contentsOf: reply.headers)
            return Hummingbird.Response(
                status: reply.status, headers: headers,
                body: ResponseBody(byteBuffer: ByteBuffer(string: reply.body)))
        }
        try await WebSite.serve(router, port: port, body)
    }
}
