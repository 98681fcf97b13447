internal import Crypto
internal import DeliveryModel
internal import HTTPTypes
internal import Hummingbird
internal import NIOPosix
internal import People
internal import PostgresClient
internal import Rendering

/// Handles requests on the console's threads, with headers that keep browsers strict, and errors as pages.
struct ConsoleMiddleware: RouterMiddleware {
    typealias Context = LandfallRequestContext

    let observer: RequestObserver

    /// Pages load the console's own style sheet and script, and nothing else; no page can frame them.
    private static let policy = [
        "default-src 'none'", "style-src 'self'", "script-src 'self'", "img-src 'self' data:",
        "connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    private static let fields: [(String, String)] = [
        ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
    ]

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = await withTaskExecutorPreference(ConsoleExecutor.shared) { () async -> Response in
            do {
                return try await next(request, context)
            } catch let needed as SignInNeeded {
                return .seeOther("/sign-in" + LocalPath(needed.path).asNext)
            } catch {
                let taken = (error as? LockTaken).map {
                    Problem(.conflict, "run_in_progress", "\($0.description): try again later")
                }
                let problem = observer.problem(taken ?? error, of: context.logger)
                return ConsolePage.problem(problem).response(status: problem.status, for: nil)
            }
        }
        for (name, value) in Self.fields {
            if let name = HTTPField.Name(name) { response.headers[name] = value }
        }
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        return response
    }
}

/// Runs the console's tasks on dedicated threads, so the threads that serve posts never wait for a page.
final class ConsoleExecutor: TaskExecutor {
    static let shared = ConsoleExecutor()
    static let size = 2

    private let threads = NIOThreadPool(numberOfThreads: ConsoleExecutor.size)

    private init() { threads.start() }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        threads.submit { _ in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

extension Response {
    /// The response to a form: the browser loads the page with GET.
    static func seeOther(_ path: String) -> Response {
        Response(status: .seeOther, headers: [.location: path])
    }
}

/// A path of this console, with its query: the only address that a request may name as the next place.
struct LocalPath {
    let text: String

    /// Without its query if it is longer than a path may be; `/` for anything that a browser could take for
    /// another host.
    init(_ text: String) {
        let path = text.utf8.count > FieldLimits.sharedPath ? String(text.prefix { $0 != "?" }) : text
        self.text = path.isLocalPath && path.utf8.count <= FieldLimits.sharedPath ? path : "/"
    }

    /// As a query; empty for the first page.
    var asNext: String { text == "/" ? "" : "?next=\(text.queryEncoded)" }
}

/// The console's style sheet and script. Their names contain their digests, so browsers keep them for a year.
struct ConsoleAsset: Sendable {
    let path: String
    private let response: Response

    static let styles = ConsoleAsset(
        "css", "text/css; charset=utf-8", Array(HTMLPage.styleSheet.utf8) + PackageResources.console_css)
    static let script = ConsoleAsset("js", "text/javascript; charset=utf-8", PackageResources.console_js)

    private init(_ ending: String, _ contentType: String, _ bytes: [UInt8]) {
        let digest = SHA256.hash(data: bytes).prefix(8).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 0xF, radix: 16)
        }
        path = "/assets/console-\(digest.joined()).\(ending)"
        response = Response(
            status: .ok,
            headers: [.contentType: contentType, .cacheControl: "public, max-age=31536000, immutable"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    static func addRoutes(to group: RouterGroup<LandfallRequestContext>) {
        for asset in [styles, script] { group.get("\(asset.path)") { _, _ in asset.response } }
    }
}
