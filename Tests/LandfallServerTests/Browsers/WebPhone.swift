import TestBrowser

/// A browser that has opened the ``WebShop``, with its service worker.
struct WebPhone {
    let page: Page
    private let worker: Page
    private let origin: String
    private let registration: DevToolsValue

    /// Opens the app, and starts its worker. It does not post by itself.
    static func open(
        _ shop: WebSite, in browser: Browser, isModule: Bool = false
    ) async throws -> WebPhone {
        let script = isModule ? "/module.js" : "/sw.js"
        let type = isModule ? "module" : "classic"
        try await browser.grant(["notifications", "backgroundSync"], to: shop.origin)
        let page = try await browser.open(shop.origin + "/")
        try await page.evaluate(
            """
            navigator.serviceWorker.register("\(script)", {type: "\(type)"})
              .then(() => navigator.serviceWorker.ready).then(() => true)
            """)
        try await page.send("ServiceWorker.enable")
        let registered = try await page.event("ServiceWorker.workerRegistrationUpdated") {
            !$0["registrations"].items.isEmpty
        }
        // One of an earlier run of the browser is not running yet.
        try await page.send("ServiceWorker.startWorker", ["scopeURL": .text(shop.origin + "/")])
        let phone = WebPhone(
            page: page, worker: try await browser.serviceWorker(shop.origin + script), origin: shop.origin,
            registration: registered["registrations"][0]["registrationId"])
        try await phone.collectShown()
        return phone
    }

    /// Waits until a call of the page's code returns true. A server that is busy with other tests may put it
    /// off.
    func succeeds(_ call: String) async throws {
        try await LandfallServerTests.waiting(call) {
            try await page.evaluate("\(call).catch(() => false)") == true
        }
    }

    /// The id that the browser keeps for the device.
    func device() async throws -> String {
        try await page.evaluate("state().then((state) => state.device)").text ?? ""
    }

    /// Delivers a push about this notification, as the tests' sender writes it.
    func push(_ id: String) async throws {
        try await push(["title": "On its way", "body": "Today", "url": "/", "landfall": ["id": .text(id)]])
    }

    func push(_ payload: DevToolsValue) async throws {
        try await page.send(
            "ServiceWorker.deliverPushMessage",
            ["origin": .text(origin), "registrationId": registration, "data": .text(payload.script)])
    }

    /// Collects what is shown. Asking `getNotifications()` would not do: Chromium then forgets what it is
    /// about to show.
    private func collectShown() async throws {
        try await worker.evaluate(
            """
            globalThis.shown = [];
            const show = registration.showNotification.bind(registration);
            registration.showNotification = (title, options) =>
              show(title, options).then(() => { shown.push({close() {}, title, ...options}) });
            true
            """)
    }

    /// Waits until this many notifications were shown since the app was opened.
    func showing(_ count: Int) async throws { try await worker.wait(until: "shown.length == \(count)") }

    /// Fires an event about a notification that was shown, and waits for its listeners. The protocol cannot
    /// click; the listeners cannot tell, except that a page opens only for a person.
    func fire(_ type: String, _ id: String, action: String = "") async throws {
        try await worker.evaluate(
            """
            (async () => {
              const notification = shown.find(({data}) => data.landfall?.id == "\(id)");
              const promises = [], waitUntil = (promise) => promises.push(promise);
              const event = Object.assign(new Event("\(type)"), {notification, action: "\(action)", waitUntil});
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

    /// Takes Background Sync away from the worker, as in browsers that have none.
    func withoutSync() async throws {
        try await worker.evaluate(
            "delete ServiceWorkerRegistration.prototype.sync; registration.sync === undefined")
    }

    /// The tags for which the browser will let Background Sync try.
    func syncTags() async throws -> [String] {
        try await page.evaluate(
            "navigator.serviceWorker.ready.then((registration) => registration.sync.getTags())"
        ).items.compactMap(\.text)
    }

    /// Whether the worker asks for another Background Sync after this one.
    func wantsAnotherSync() async throws -> Bool {
        try await worker.evaluate(
            """
            (async () => {
              const event = new SyncEvent("sync", {tag: "landfall"});
              let promise;
              event.waitUntil = (value) => { promise = value; };
              dispatchEvent(event);
              return promise.then(() => false, () => true);
            })()
            """) == true
    }

    /// Waits until no upload is in progress.
    func settle() async throws {
        try await page.evaluate("navigator.locks.request('landfall', () => true)")
    }

    /// The type, id and action of each waiting event, oldest first.
    func waiting() async throws -> [String] {
        try await store("store.getAll()").items.filter { $0["n"] != "state" }.map { event in
            [event["type"], event["notification_id"], event["message_id"], event["action"]]
                .compactMap(\.text).filter { !$0.isEmpty }.joined(separator: " ")
        }
    }

    /// Waits until these are the events that wait.
    func wait(for expected: [String]) async throws {
        try await LandfallServerTests.waiting("\(expected)") { try await waiting() == expected }
    }

    /// Waits until the worker has posted everything. A server that is busy with other tests may put it off.
    func waitUntilPosted() async throws {
        try await LandfallServerTests.waiting("an empty queue") {
            if try await waiting().isEmpty { return true }
            try await sync()
            return false
        }
    }

    /// Adds waiting arrivals of the notifications 0, 1, ….
    func fill(_ count: Int) async throws {
        try await store(
            """
            (() => {
              for (let number = 0; number < \(count); number++)
                store.add({type: "arrival", notification_id: "" + number});
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
              // The helper has created it.
              await state();
              const database = await done(indexedDB.open("landfall", 1));
              const store = database.transaction("events", "readwrite").objectStore("events");
              database.close();
              return done(\(request));
            })()
            """)
    }
}

struct NeverHappened: Error {
    let what: String
}

/// Waits until the condition holds. It is read again and again.
func waiting(_ what: String, until condition: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + Browser.patience
    while try await !condition() {
        guard ContinuousClock.now < deadline else { throw NeverHappened(what: what) }
        try await Task.sleep(for: .milliseconds(200))
    }
}
