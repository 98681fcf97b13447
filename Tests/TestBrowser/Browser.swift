internal import ChildPrograms
public import Foundation

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Why a browser did not do what it was asked to.
public enum BrowserError: Error, Sendable, CustomStringConvertible {
    /// The browser does not know the request, or cannot do it now.
    case rejected(String)
    /// The response, the event or the condition did not come in time.
    case late(method: String, limit: Duration)
    /// The browser has ended, with these last lines of its output.
    case ended(log: String)
    case notStarted(String)
    /// The page's script threw this.
    case threw(String)

    public var description: String {
        switch self {
        case .rejected(let message): "the browser does not do that: \(message)"
        case .late(let method, let limit): "\(method) did not come within \(limit)"
        case .ended(let log): "the browser has ended. \(log)"
        case .notStarted(let reason): "the browser did not start: \(reason)"
        case .threw(let text): "the script threw: \(text)"
        }
    }
}

enum NamedPipe {
    /// The descriptor, which programs that this one starts do not get; negative if there is none.
    static func open(_ path: String, _ flags: Int32) -> Int32 {
        #if canImport(Darwin)
            Darwin.open(path, flags | O_CLOEXEC)
        #else
            Glibc.open(path, flags | O_CLOEXEC)
        #endif
    }
}

/// Chromium without a window, controlled through the DevTools protocol
/// (https://chromedevtools.github.io/devtools-protocol).
///
/// Requests and events go through a pair of named pipes, which the browser gets as its descriptors 3 and 4.
public final class Browser: Sendable {
    /// How long a response or an event may take. Along with all other tests, a browser is slow.
    public static let patience = Duration.seconds(180)

    private let program: ChildProgram
    private let folder: ThrowawayFolder
    private let output: Int32
    let pipe: DevToolsPipe

    /// Starts a browser, and ends it with all of its processes after the body.
    ///
    /// - Parameter profile: the folder of its cookies and storage, which outlives it; `nil` for a new
    ///   profile.
    public static func run<Value>(
        profile: URL? = nil, _ body: (Browser) async throws -> Value
    ) async throws -> Value {
        let browser = try Browser(profile: profile)
        return try await ending({ try await browser.end() }) {
            // The reply shows that the browser is up.
            try await browser.send("Target.setDiscoverTargets", ["discover": true])
            return try await body(browser)
        }
    }

    private init(profile: URL?) throws {
        folder = try ThrowawayFolder.create(for: "browser")
        let (requests, replies) = (folder.url.path + "/requests", folder.url.path + "/replies")
        guard mkfifo(requests, 0o600) == 0, mkfifo(replies, 0o600) == 0 else {
            throw BrowserError.notStarted(String(cString: strerror(errno)))
        }
        // Also open for reading, so that it opens at once, and that writing to a browser that has ended
        // raises no SIGPIPE.
        output = NamedPipe.open(requests, O_RDWR)
        guard output >= 0 else { throw BrowserError.notStarted(String(cString: strerror(errno))) }
        // The shell opens both pipes before it becomes the browser.
        program = try ChildProgram.start(
            URL(fileURLWithPath: "/bin/sh"),
            ["-c", #"exec "$@" 3<"$0/requests" 4>"$0/replies""#, folder.url.path]
                + [try Chromium.executable().path] + Self.options
                + ["--user-data-dir=\(profile?.path ?? folder.url.path + "/profile")", "about:blank"],
            // Debian's wrapper script writes into the home folder.
            environment: ProcessInfo.processInfo.environment.merging(["HOME": folder.url.path]) { $1 },
            log: folder.url.appendingPathComponent("log"))
        pipe = DevToolsPipe(output: output) { NamedPipe.open(replies, O_RDONLY) }
    }

    private static let options = [
        "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
        "--disable-dev-shm-usage", "--no-first-run", "--no-default-browser-check", "--disable-extensions",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--hide-scrollbars", "--window-size=1280,800",
    ]

    private func end() async throws {
        _ = try? await send("Browser.close", within: .seconds(30))
        let deadline = ContinuousClock.now + .seconds(30)
        while !program.hasEnded, !Task.isCancelled, ContinuousClock.now < deadline {
            try? await Task.sleep(for: .milliseconds(20))
        }
        // It is the first of its own process group.
        kill(-program.pid, SIGKILL)
        program.killAtOnce()
        pipe.end(.ended(log: program.lastLines))
        // Ends the reading thread even if the browser never opened the pipe.
        close(NamedPipe.open(folder.url.path + "/replies", O_WRONLY | O_NONBLOCK))
        close(output)
        try folder.remove()
    }

    /// Sends a request to the browser itself, and returns its result.
    @discardableResult
    public func send(
        _ method: String, _ parameters: DevToolsValue = [:], within limit: Duration = Browser.patience
    ) async throws -> DevToolsValue {
        try await send(method, parameters, session: "", within: limit)
    }

    func send(
        _ method: String, _ parameters: DevToolsValue, session: String, within limit: Duration
    ) async throws -> DevToolsValue {
        do {
            return try await pipe.send(method, parameters, session: session, within: limit)
        } catch BrowserError.ended {
            throw BrowserError.ended(log: program.lastLines)
        }
    }

    /// Takes the first wanted event of the browser itself that was not taken yet, or waits for the next one.
    public func event(
        _ method: String, within limit: Duration = Browser.patience,
        where isWanted: @escaping @Sendable (DevToolsValue) -> Bool = { _ in true }
    ) async throws -> DevToolsValue {
        try await pipe.event(method, session: "", within: limit, where: isWanted)
    }

    /// Opens a page, with cookies and storage that all pages of this browser share.
    public func open(_ address: String = "about:blank") async throws -> Page {
        let target = try await send("Target.createTarget", ["url": "about:blank"])["targetId"]
        let page = try await attach(to: target)
        for domain in ["Page", "Runtime", "Network", "Log"] { try await page.send("\(domain).enable") }
        if address != "about:blank" { try await page.navigate(to: address) }
        return page
    }

    /// The service worker with this script, as soon as there is one.
    public func serviceWorker(_ script: String) async throws -> Page {
        let target = try await event("Target.targetCreated") {
            $0["targetInfo"]["type"] == "service_worker" && $0["targetInfo"]["url"] == .text(script)
        }
        return try await attach(to: target["targetInfo"]["targetId"])
    }

    private func attach(to target: DevToolsValue) async throws -> Page {
        let attached = try await send("Target.attachToTarget", ["targetId": target, "flatten": true])
        return Page(browser: self, target: target, session: attached["sessionId"].text ?? "")
    }

    /// Lets an origin do what a person would have to allow, such as `notifications`, and nothing else of that
    /// sort.
    public func grant(_ permissions: [String], to origin: String) async throws {
        try await send(
            "Browser.grantPermissions",
            ["origin": .text(origin), "permissions": .array(permissions.map(DevToolsValue.text))])
    }
}
