public import Foundation

/// A page, or another target that runs scripts, such as a service worker.
public struct Page: Sendable {
    private let browser: Browser
    private let target: DevToolsValue
    private let session: String

    init(browser: Browser, target: DevToolsValue, session: String) {
        (self.browser, self.target, self.session) = (browser, target, session)
    }

    @discardableResult
    public func send(
        _ method: String, _ parameters: DevToolsValue = [:], within limit: Duration = Browser.patience
    ) async throws -> DevToolsValue {
        try await browser.pipe.send(method, parameters, session: session, within: limit)
    }

    /// The first event of the page that was not taken yet, or the next one.
    public func event(
        _ method: String, within limit: Duration = Browser.patience,
        where isWanted: @escaping @Sendable (DevToolsValue) -> Bool = { _ in true }
    ) async throws -> DevToolsValue {
        try await browser.pipe.event(method, session: session, within: limit, where: isWanted)
    }

    /// Navigates, and waits until the page and what it embeds are loaded.
    public func navigate(to address: String) async throws {
        browser.pipe.forget("Page.loadEventFired", session: session)
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
    /// - Parameter isWhole: also what one would have to scroll to.
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

    /// Applies to the pages that are loaded afterward.
    public func disableScripts(_ isDisabled: Bool = true) async throws {
        try await send("Emulation.setScriptExecutionDisabled", ["value": .bool(isDisabled)])
    }

    /// What happens to an intercepted request.
    public enum Interception: Sendable {
        case proceed
        case fail
        case respond(status: Int, headers: [String: String] = [:], body: Data = Data())
    }

    /// Decides about each request whose URL matches the pattern, in which `*` stands for any text.
    public func intercept(
        _ pattern: String, _ decide: @escaping @Sendable (_ request: DevToolsValue) -> Interception
    ) async throws {
        browser.pipe.handle("Fetch.requestPaused", session: session) { event in
            Task { try await conclude(event["requestId"], decide(event["request"])) }
        }
        try await send("Fetch.enable", ["patterns": [["urlPattern": .text(pattern)]]])
    }

    public func stopIntercepting() async throws {
        try await send("Fetch.disable")
        browser.pipe.handle("Fetch.requestPaused", session: session, nil)
    }

    private func conclude(_ request: DevToolsValue, _ interception: Interception) async throws {
        switch interception {
        case .proceed: try await send("Fetch.continueRequest", ["requestId": request])
        case .fail:
            try await send("Fetch.failRequest", ["requestId": request, "errorReason": "ConnectionFailed"])
        case .respond(let status, let headers, let body):
            let fields = headers.map { DevToolsValue.object(["name": .text($0), "value": .text($1)]) }
            try await send(
                "Fetch.fulfillRequest",
                [
                    "requestId": request, "responseCode": .number(Double(status)),
                    "responseHeaders": .array(fields), "body": .text(body.base64EncodedString()),
                ])
        }
    }

    public func close() async throws { try await browser.send("Target.closeTarget", ["targetId": target]) }
}
