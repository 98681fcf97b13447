import Hummingbird
import TestBrowser
import Testing

/// `Browser` and `Page`, with which other tests look at pages.
@Suite(.timeLimit(.minutes(40))) struct TestBrowserTests {
    private static let page = """
        <!doctype html><title>Page</title><link rel=icon href=data:,>
        <style>body { background: white } @media (prefers-color-scheme: dark) { body { background: black } }</style>
        <p style="margin-top: 3000px"><button onclick="console.error('clicked', innerWidth)">Click</button></p>
        <script>document.title = "with scripts"</script>
        """

    @Test(
        "a page is clicked, resized, darkened and loaded without scripts, and its errors and requests are known"
    )
    func page() async throws {
        let router = Router()
        router.file("/", "text/html", Self.page)
        try await WebSite.serve(router) { site in
            try await Browser.run { browser in
                let page = try await browser.open(site.origin + "/")
                #expect(page.takeRequests().first == site.origin + "/")
                #expect(page.takeErrors().isEmpty)

                try await page.resize(width: 400, height: 800)
                try await page.click("button")
                #expect(try await page.evaluate("scrollY > 0") == true)
                #expect(page.takeErrors() == ["clicked 400"])
                try await page.evaluate("setTimeout(() => { throw new Error('later') })")
                _ = try await page.evaluate("new Promise((resolve) => setTimeout(resolve))")
                #expect(page.takeErrors().first?.hasPrefix("Error: later") == true)
                await #expect(throws: BrowserError.self) { try await page.evaluate("missing()") }

                let light = try await page.screenshot()
                try await page.emulate(media: ["prefers-color-scheme": "dark"])
                #expect(
                    try await page.evaluate("getComputedStyle(document.body).backgroundColor")
                        == "rgb(0, 0, 0)")
                let dark = try await page.screenshot()
                #expect(light.starts(with: [0x89, 0x50, 0x4e, 0x47]))
                #expect(dark != light)
                #expect(try await page.screenshot(isWhole: true) != dark)

                #expect(try await page.evaluate("document.title") == "with scripts")
                try await page.disableScripts()
                try await page.navigate(to: site.origin + "/")
                #expect(try await page.evaluate("document.title") == "Page")
                await #expect(throws: BrowserError.self) {
                    try await page.navigate(to: "http://127.0.0.1:1/")
                }
                try await page.close()
            }
        }
    }
}
