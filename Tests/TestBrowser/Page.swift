public import Foundation

/// A page, or another target that runs scripts, such as a service worker.
public struct Page: Sendable {
    private let browser: Browser
    private let target: DevToolsValue
    private let session: String

    init(browser: Browser, target: DevToolsValue, session: String) {
        (self.browser, self.target, self.session) = (browser, target, session)
    }

    /// Sends a request to the page, and returns its result.
    @discardableResult
    public func send(
        _ method: String, _ parameters: DevToolsValue = [:], within limit: Duration = Browser.patience
    ) async throws -> DevToolsValue {
        try await browser.send(method, parameters, session: session, within: limit)
    }

    /// Takes the first wanted event of the page that was not taken yet, or waits for the next one.
    public func event(
        _ method: String, within limit: Duration = Browser.patience,
        where isWanted: @escaping @Sendable (DevToolsValue) -> Bool = { _ in true }
    ) async throws -> DevToolsValue {
        try await browser.pipe.event(method, session: session, within: limit, where: isWanted)
    }

    /// Takes all events of this kind that have come and were not taken yet.
    @discardableResult
    public func takeEvents(_ method: String) -> [DevToolsValue] {
        browser.pipe.takeEvents(method, session: session)
    }

    /// Navigates, and waits until the page and what it embeds are loaded.
    public func navigate(to address: String) async throws {
        takeEvents("Page.loadEventFired")
        let result = try await send("Page.navigate", ["url": .text(address)])
        if let problem = result["errorText"].text { throw BrowserError.rejected("\(address): \(problem)") }
        _ = try await event("Page.loadEventFired")
    }

    /// Evaluates an expression, waits for it if it is a promise, and returns its value as JSON.
    @discardableResult
    public func evaluate(_ script: String, within limit: Duration = Browser.patience) async throws
        -> DevToolsValue
    {
        let result = try await send(
            "Runtime.evaluate",
            ["expression": .text(script), "awaitPromise": true, "returnByValue": true, "userGesture": true],
            within: limit)
        let problem = result["exceptionDetails"]
        guard problem.isNull else {
            throw BrowserError.threw(
                problem["exception"]["description"].text ?? problem["exception"]["value"].text
                    ?? problem.script)
        }
        return result["result"]["value"]
    }

    /// Waits until the expression, or what it promises, is true. It is evaluated again and again.
    public func wait(until script: String, within limit: Duration = Browser.patience) async throws {
        let deadline = ContinuousClock.now + limit
        while try await evaluate("Promise.resolve(\(script)).then(Boolean)") != true {
            guard ContinuousClock.now < deadline else {
                throw BrowserError.late(method: script, limit: limit)
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// A picture of the page as PNG.
    ///
    /// - Parameter isWhole: whether it includes what is outside the window.
    public func screenshot(isWhole: Bool = false) async throws -> Data {
        let result = try await send(
            "Page.captureScreenshot", ["format": "png", "captureBeyondViewport": .bool(isWhole)])
        return result["data"].text.flatMap { Data(base64Encoded: $0) } ?? Data()
    }

    /// Sets the size of the page in CSS pixels.
    public func resize(width: Int, height: Int, scale: Double = 1, isMobile: Bool = false) async throws {
        try await send(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .number(Double(width)), "height": .number(Double(height)),
                "deviceScaleFactor": .number(scale), "mobile": .bool(isMobile),
            ])
    }

    /// Sets media features, such as `prefers-color-scheme` to `dark`.
    public func emulate(media features: [String: String]) async throws {
        let list = features.map { DevToolsValue.object(["name": .text($0), "value": .text($1)]) }
        try await send("Emulation.setEmulatedMedia", ["features": .array(list)])
    }

    /// Applies to the documents that are loaded afterward. ``evaluate(_:within:)`` still works.
    public func disableScripts(_ isDisabled: Bool = true) async throws {
        try await send("Emulation.setScriptExecutionDisabled", ["value": .bool(isDisabled)])
    }

    /// Clicks with the mouse in the middle of the element, which it scrolls into view first.
    public func click(_ selector: String) async throws {
        let center = try await evaluate(
            """
            (() => {
              const element = document.querySelector(\(DevToolsValue.text(selector).script));
              element.scrollIntoView({block: "center", behavior: "instant"});
              const {x, y, width, height} = element.getBoundingClientRect();
              return {x: x + width / 2, y: y + height / 2};
            })()
            """)
        for type in ["mousePressed", "mouseReleased"] {
            try await send(
                "Input.dispatchMouseEvent",
                ["type": .text(type), "x": center["x"], "y": center["y"], "button": "left", "clickCount": 1])
        }
    }

    /// Takes what the console shows as errors: exceptions, `console.error`, and what the browser itself
    /// reports, such as a resource that could not be loaded.
    public func takeErrors() -> [String] {
        let thrown = takeEvents("Runtime.exceptionThrown").map { event in
            let details = event["exceptionDetails"]
            return details["exception"]["description"].text ?? details["text"].text ?? ""
        }
        let written = takeEvents("Runtime.consoleAPICalled").filter { $0["type"] == "error" }.map { event in
            event["args"].items.map { $0["value"].text ?? $0["description"].text ?? $0.script }
                .joined(separator: " ")
        }
        let reported = takeEvents("Log.entryAdded").map { $0["entry"] }.filter { $0["level"] == "error" }
            .map { "\($0["text"].text ?? "") \($0["url"].text ?? "")" }
        return thrown + written + reported
    }

    /// Takes the addresses of all requests that the page has begun, in their order.
    public func takeRequests() -> [String] {
        takeEvents("Network.requestWillBeSent").compactMap { $0["request"]["url"].text }
    }

    /// Closes the page.
    public func close() async throws { try await browser.send("Target.closeTarget", ["targetId": target]) }
}
