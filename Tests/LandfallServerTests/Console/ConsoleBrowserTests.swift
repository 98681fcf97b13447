import Access
import Foundation
import People
import PostgresClient
import TestBrowser
import TestDatabase
import Testing
import TokenLifecycle

/// The console in Chromium, from the one-time link on.
@Suite(.databaseForLong, .timeLimit(.minutes(40))) struct ConsoleBrowserTests {
    private static let pages = [
        "/", "/apps/shop", "/apps/shop/doctor", "/apps/shop/doctor/mute?finding=breaker_open",
        "/apps/shop/funnel", "/apps/shop/funnel?by=day",
        "/apps/shop/funnel?by=campaign&compare=previous", "/apps/shop/reach", "/apps/shop/clicks?by=variant",
        "/apps/shop/loss", "/apps/shop/rejections", "/apps/shop/latency", "/apps/shop/extension",
        "/apps/shop/permissions", "/apps/shop/permissions?by=day",
        "/apps/shop/permissions?by=campaign",
        "/apps/shop/tokens/status", "/apps/shop/tokens", "/apps/shop/breakers", "/apps/shop/quarantine",
        "/apps/shop/quarantine/drop?code=unknown_type", "/apps/shop/campaigns?sort=click_through",
        "/apps/shop/campaigns/spring?with=news", "/apps/shop/sweep", "/apps/shop/erase",
        "/settings/retention", "/apps/shop/annotations", "/apps/shop/shares",
        "/apps/shop/shares/new?report=funnel&by=day", "/apps/shop/explain", "/apps/shop/live",
        "/apps/shop/connect", "/apps/shop/connect/gorush", "/settings/people",
        "/settings/people/1/link", "/settings/keys", "/settings/health", "/settings/audit", "/glossary",
        "/apps/shop/funnel?from=nonsense", "/apps/none",
    ]

    /// A server with a little of everything, and a browser with a page that is signed in.
    private func open(
        _ body: (_ page: Page, _ console: String, _ sender: PersistentClient) async throws -> Void
    ) async throws {
        let (_, keys) = try await TestServer.makeApp("shop")
        let key = try #require(keys[.server])
        try await ServedApplication.run { server async throws in
            let sender = PersistentClient(key: key, port: { server.port })
            try await sender.post(Array(Self.events(1...40).utf8))
            let link = try await TestDatabase.current.front.pool.withConnection {
                try PeopleDirectory.ownerLink(now: .now, on: $0)
            }
            let console = "http://127.0.0.1:\(server.port)"
            try await Browser.run { browser in
                let page = try await browser.open()
                try await page.navigate(to: console + link.path)
                #expect(try await page.evaluate("location.pathname") == "/")
                try await body(page, console, sender)
            }
        }
    }

    /// Opens a page and waits for its numbers.
    private static func visit(_ address: String, in page: Page) async throws {
        try await page.navigate(to: address)
        try await wait(untilCounted: "true", in: page)
    }

    /// Waits for a condition on the page, and for its numbers.
    private static func wait(untilCounted condition: String, in page: Page) async throws {
        try await page.wait(
            until:
                "\(condition) && document.readyState === 'complete' && !document.querySelector('[data-counting]')"
        )
    }

    private static func events(_ numbers: ClosedRange<Int>) -> String {
        let events = numbers.map { number in
            let id = notificationID(number)
            let status = number % 10 == 0 ? "410,\"reason\":\"Unregistered\"" : "200"
            let response = """
                {"type":"response","notification_id":"\(id)","provider":"apns","status":\(status),\
                "token":"\(tokenValue(number))","campaign":"\(["spring", "news"][number % 2])",\
                "variant":"\(["a", "b"][number / 2 % 2])"}
                """
            let times =
                #""occurred_at":"\#((sendTime + .seconds(2)).rfc3339)","reported_at":"\#(Instant.now.rfc3339)""#
            let arrival = #"{"type":"arrival","notification_id":"\#(id)",\#(times)}"#
            let click = #"{"type":"click","notification_id":"\#(id)",\#(times)}"#
            return [response] + (number % 3 == 0 ? [] : [arrival]) + (number % 4 == 1 ? [click] : [])
        }
        // One that is rejected, for the quarantine.
        return "[\(events.joined().joined(separator: ",")),{\"type\":\"nothing\"}]"
    }

    @Test("every page can be read and used, on small and large screens, in light and dark, zoomed in")
    func pages() async throws {
        try await open { page, console, _ in
            for path in Self.pages {
                for (width, scheme) in [
                    (1_400, "light"), (1_400, "dark"), (380, "light"), (380, "dark"), (320, "light"),
                ] {
                    try await page.resize(width: width, height: 900)
                    try await page.emulate(media: ["prefers-color-scheme": scheme])
                    try await Self.visit(console + path, in: page)
                    for mistake in try await PageInspection.mistakes(on: page) {
                        Issue.record("\(path) at \(width) px, \(scheme): \(mistake)")
                    }
                    let bytes = try await page.evaluate(Self.transferred).integer ?? .max
                    #expect(bytes < 150_000, "\(path)")
                    #expect(try await page.evaluate(Self.shift) == 0, "\(path) moves at \(width) px")
                    try await Self.keep(page, "\(path)-\(width)-\(scheme)")
                }
            }
            #expect(page.takeErrors().filter { !$0.contains("400") && !$0.contains("404") } == [])
            let others = page.takeRequests().filter { !$0.hasPrefix(console) && !$0.hasPrefix("data:") }
            #expect(others == [])
        }
    }

    /// The bytes of the page, its style sheet and its script. While its numbers are counted, a page is
    /// fetched several times.
    private static let transferred = """
        performance.getEntriesByType("resource").filter((entry) => entry.initiatorType !== "fetch")
          .reduce((bytes, entry) => bytes + entry.decodedBodySize,
            Math.max(...performance.getEntries().map((entry) =>
              ["navigation", "fetch"].includes(entry.initiatorType) ? entry.decodedBodySize : 0)))
        """

    /// By how much parts of the page have moved since it appeared.
    private static let shift = """
        new Promise((resolve) => {
          const observer = new PerformanceObserver(() => {});
          observer.observe({type: "layout-shift", buffered: true});
          requestAnimationFrame(() => requestAnimationFrame(() =>
            resolve(observer.takeRecords().reduce((sum, entry) => sum + entry.value, 0))));
        })
        """

    /// Keeps a picture if a person wants to look: LANDFALL_SCREENSHOTS is a folder.
    private static func keep(_ page: Page, _ name: String) async throws {
        guard let folder = ProcessInfo.processInfo.environment["LANDFALL_SCREENSHOTS"] else { return }
        let file = name.replacing("/", with: "_").replacing("?", with: "_")
        try await page.screenshot(isWhole: true)
            .write(to: URL(fileURLWithPath: folder).appendingPathComponent("\(file).png"))
    }

    @Test("a click on a name filters, a choice breaks down, and going back shows what was there")
    func filtering() async throws {
        try await open { page, console, _ in
            try await Self.visit("\(console)/apps/shop/funnel?by=campaign", in: page)
            // Stays as long as the page is not loaded anew.
            try await page.evaluate("window.isSame = true")
            try await page.click(#"main table a[href*="campaign=spring"]"#)
            try await page.wait(until: #"document.querySelector(".chips")?.textContent.includes("spring")"#)
            #expect(try await page.evaluate("location.search") == "?campaign=spring")
            try await page.evaluate(
                """
                { const by = document.querySelector("select[name=by]"); by.value = "variant";
                  by.dispatchEvent(new Event("change", {bubbles: true})); }
                """)
            try await page.wait(until: "location.search.includes('by=variant')")
            #expect(try await page.evaluate("location.search.includes('campaign=spring')") == true)
            #expect(try await page.evaluate("document.activeElement.id") == "main")
            try await page.evaluate("history.back()")
            try await page.wait(until: "!document.querySelector('select[name=by]').value")
            try await page.click(".chips input")
            try await page.wait(until: "!document.querySelector('.chips')")
            #expect(try await page.evaluate("window.isSame") == true)
            #expect(page.takeErrors() == [])
        }
    }

    @Test("numbers move while events arrive, without a click")
    func live() async throws {
        try await open { page, console, sender in
            try await Self.visit("\(console)/apps/shop/funnel", in: page)
            #expect(
                try await page.evaluate("document.querySelector('main').textContent.includes('39')") == false)
            try await sender.post(Array(Self.events(41...79).utf8))
            try await page.wait(until: "document.querySelector('main').textContent.includes('79')")
            #expect(page.takeErrors() == [])
        }
    }

    @Test("the tail shows events as they are posted, until it is paused, and again when it goes on")
    func tail() async throws {
        try await open { page, console, sender in
            let newest = "document.querySelector('main tbody a code')?.textContent"
            try await page.navigate(to: "\(console)/apps/shop/live")
            try await page.wait(until: "!document.querySelector('main .pause').hidden")
            #expect(
                try await page.evaluate("document.querySelector('main .again').checkVisibility()") == false)
            try await sender.post(Array(Self.events(41...41).utf8))
            try await page.wait(until: "\(newest) === '\(notificationID(41))'")
            // Stays as long as the row is not replaced.
            try await page.evaluate("document.querySelector('main tbody tr').isSame = true")
            for number in 42...48 {
                try await sender.post(Array(Self.events(number...number).utf8))
                try await Task.sleep(for: .milliseconds(300))
            }
            try await page.wait(until: "\(newest) === '\(notificationID(48))'")
            let rows = "document.querySelectorAll('main tbody tr')"
            #expect(try await page.evaluate("[...\(rows)].filter((row) => row.isSame).length") == 1)
            #expect(try await page.evaluate("document.querySelector('.announcement').textContent") == "")

            try await page.click("main .pause")
            #expect(try await page.evaluate("document.querySelector('main .pause').textContent") == "Resume")
            try await sender.post(Array(Self.events(49...49).utf8))
            try await Task.sleep(for: .seconds(3))
            #expect(try await page.evaluate(newest) == .text(notificationID(48)))
            try await page.click("main .pause")
            try await page.wait(until: "\(newest) === '\(notificationID(49))'")

            for second in 0..<6 {
                try await sender.post(Array(Self.events((50 + second * 10)...(59 + second * 10)).utf8))
                try await Task.sleep(for: .seconds(1))
            }
            try await page.wait(until: "\(newest) === '\(notificationID(109))'")
            #expect(try await page.evaluate("\(rows).length") == 100)
            for width in [380, 1_400] {
                try await page.resize(width: width, height: 900)
                #expect(try await PageInspection.mistakes(on: page) == [])
                try await Self.keep(page, "tail-\(width)")
            }
            try await page.click("main tbody tr a")
            try await page.wait(until: "document.querySelector('main .story')")
            #expect(page.takeErrors() == [])
        }
    }

    @Test("without script, the tail is loaded again with a link")
    func tailWithoutScript() async throws {
        try await open { page, console, sender in
            try await page.disableScripts()
            try await page.navigate(to: "\(console)/apps/shop/live")
            // Twenty items of the post and a line for the others. On a slow machine the client posts again.
            let rows = try await page.evaluate("document.querySelectorAll('main tbody tr').length").integer
            #expect((rows ?? 0) >= 21)
            #expect(
                try await page.evaluate("document.querySelector('main .pause').checkVisibility()") == false)
            try await sender.post(Array(Self.events(41...41).utf8))
            page.takeEvents("Page.loadEventFired")
            try await page.click("main .again")
            _ = try await page.event("Page.loadEventFired")
            let newest = "document.querySelector('main tbody a code').textContent"
            #expect(try await page.evaluate(newest) == .text(notificationID(41)))
        }
    }

    @Test("the arrow keys move from point to point of a chart, and each says its numbers")
    func chartKeys() async throws {
        try await open { page, console, sender in
            try await Self.visit("\(console)/apps/shop", in: page)
            try await page.evaluate(
                """
                said = []
                new MutationObserver((changes) => said.push(changes[0].target.textContent))
                    .observe(document.querySelector('.announcement'), { childList: true })
                """)
            try await page.evaluate("document.querySelector('main svg[role=img] g[tabindex=\"0\"]').focus()")
            for _ in 0..<2 {
                try await page.send("Input.dispatchKeyEvent", ["type": "keyDown", "key": "ArrowRight"])
            }
            // The numbers may be updated in between, which is announced, too.
            let spoken = try await page.evaluate("said.findLast((text) => text.includes('attempted 0'))").text
            let title = "document.activeElement.querySelector('title').textContent"
            #expect(try await page.evaluate(title).text == spoken)
            try await page.evaluate("said = []")
            try await sender.post(Array(Self.events(41...41).utf8))
            try await page.wait(until: "said.includes('Numbers updated')")
            #expect(try await page.evaluate(title).text == spoken)
        }
    }

    @Test("without script, pages, filters, forms and the sign-out work")
    func noScript() async throws {
        try await open { page, console, _ in
            try await page.disableScripts()
            try await Self.visit("\(console)/apps/shop/funnel?by=campaign", in: page)
            // Without scripts, a page that is still counting reloads itself.
            try await page.wait(until: #"document.querySelector('main table a[href*="campaign=spring"]')"#)
            try await page.click(#"main table a[href*="campaign=spring"]"#)
            try await Self.wait(untilCounted: "location.search === '?campaign=spring'", in: page)
            try await page.evaluate("document.querySelector('select[name=by]').value = 'variant'")
            try await page.click("form.filters button")
            try await Self.wait(untilCounted: "location.search.includes('by=variant')", in: page)
            try await page.click(".menu summary")
            try await page.click(#"form[action="/sign-out"] button"#)
            try await page.wait(until: "location.pathname === '/sign-in'")
        }
    }

    @Test("a shared report opens in a browser that has never signed in")
    func sharing() async throws {
        try await open { page, console, _ in
            try await Self.visit("\(console)/apps/shop/funnel?by=campaign", in: page)
            try await page.click(".downloads a[href*='/shares/new']")
            try await page.wait(until: "document.querySelector('input[name=title]')")
            try await page.evaluate("document.querySelector('input[name=title]').value = 'Spring'")
            try await page.click("main form button.primary")
            try await page.wait(until: "document.querySelector('.done code')")
            let link = try await page.evaluate("document.querySelector('.done code').textContent").text ?? ""
            try await Browser.run { browser in
                let stranger = try await browser.open(console + link)
                try await stranger.wait(until: "!document.querySelector('[data-counting]')")
                let text = try await stranger.evaluate("document.querySelector('main').textContent").text
                #expect(text?.contains("How far notifications got") == true)
                #expect(text?.contains("spring") == true)
                #expect(try await stranger.evaluate("document.cookie") == "")
                for width in [380, 1_400] {
                    try await stranger.resize(width: width, height: 900)
                    #expect(try await PageInspection.mistakes(on: stranger) == [])
                    #expect(try await PageInspection.brokenWords(on: stranger) == [])
                    try await Self.keep(stranger, "shared-\(width)")
                }
                let wide = "Math.round(document.querySelector('main .card').getBoundingClientRect().width)"
                #expect(try await stranger.evaluate(wide).integer ?? 0 > 1_000)
                #expect(stranger.takeErrors() == [])
            }
        }
    }

    @Test("the story of a notification has a line for each thing that happened, which a person can read")
    func story() async throws {
        try await open { page, console, _ in
            for (width, most) in [(1_400, 1.0), (380, 8.0)] {
                try await page.resize(width: width, height: 900)
                try await Self.visit(
                    "\(console)/apps/shop/explain?notification=\(notificationID(1))", in: page)
                let lines = try await page.evaluate(PageInspection.lines(of: "main .story")).items.compactMap(
                    \.text)
                // The heading, when and what was sent, the response, the events, what they count as.
                #expect(lines.count > 10, "\(lines)")
                #expect(lines.first?.hasPrefix("Notification \(notificationID(1))".prefix(20)) == true)
                #expect(!lines.contains { $0.contains("\\n") }, "\(lines)")
                let rows = try await page.evaluate(PageInspection.rows(of: "main .story")).integer ?? 0
                #expect(rows >= lines.filter { !$0.isEmpty }.count)
                #expect(Double(rows) <= Double(lines.count) * most, "\(rows) rows of \(lines.count) lines")
                for what in ["sent", "arrived", "clicked"] {
                    #expect(lines.contains { $0.hasSuffix(what) }, "\(what)")
                }
                #expect(try await PageInspection.mistakes(on: page) == [])
                try await Self.keep(page, "story-\(width)")
            }
        }
    }

    @Test("an operator removes rejected items, and the page says how many")
    func quarantine() async throws {
        try await open { page, console, _ in
            try await Self.visit("\(console)/apps/shop/quarantine", in: page)
            try await page.click(".acts a[href*='/drop']")
            try await page.wait(until: "document.querySelector('main form button')")
            try await page.click("main form button")
            try await page.wait(
                until: "document.querySelector('main .done')?.textContent.includes('1 item removed')")
        }
    }

    /// Clicks a link until it has led to another page: a page that is still being laid out may move away from
    /// under a click.
    private static func follow(_ link: String, to isThere: String, in page: Page) async throws {
        for _ in 1...4 {
            try await page.click(link)
            do { return try await page.wait(until: isThere, within: .seconds(20)) } catch is BrowserError {}
        }
        try await page.wait(until: isThere)
    }

    @Test("an operator mutes a finding, and the doctor's page can still be read on a small screen")
    func muting() async throws {
        try await open { page, console, _ in
            try await TestDatabase.current.openBreaker(of: "shop")
            try await page.resize(width: 380, height: 900)
            try await Self.visit("\(console)/apps/shop/doctor", in: page)
            #expect(try await PageInspection.mistakes(on: page) == [])
            try await Self.follow(
                "main .story .acts a", to: "document.querySelector('main select[name=days]')", in: page)
            try await page.click("main form button.primary")
            try await page.wait(until: "document.querySelector('main > details')")
            try await page.click("main > details > summary")
            #expect(try await PageInspection.mistakes(on: page) == [])
            try await Self.keep(page, "muted-380")
            try await Self.visit("\(console)/apps/shop", in: page)
            try await page.wait(until: "document.querySelector('main .note a')")
            #expect(try await PageInspection.mistakes(on: page) == [])
            try await Self.keep(page, "today-380")
            #expect(page.takeErrors() == [])
        }
    }

    @Test("an operator releases a breaker, which asks once and is in the audit")
    func breaker() async throws {
        try await open { page, console, _ in
            try await TestDatabase.current.openBreaker(of: "shop")
            try await Self.visit("\(console)/apps/shop/breakers", in: page)
            try await page.click(#"main a[href$="/release"]"#)
            try await page.wait(until: "document.querySelector('main form button')")
            try await page.click("main form button")
            try await page.wait(
                until: "document.querySelector('main')?.textContent.includes('No breaker is open')")
            try await Self.visit("\(console)/settings/audit", in: page)
            try await page.wait(
                until: "document.querySelector('main')?.textContent.includes('breaker release')")
        }
    }
}

extension TestDatabase {
    /// Opens a breaker that holds back no tokens.
    func openBreaker(of app: String) async throws {
        try await execute(
            """
            INSERT INTO landfall.token_breaker (app_id, environment, topic, opened_at)
            SELECT app_id, 'production', 'com.example.shop', now() FROM landfall.app WHERE slug = '\(app)'
            """)
    }
}
