internal import Access
internal import DeliveryModel
internal import HTTPTypes
internal import Hummingbird

/// What pages of other origins may do (https://fetch.spec.whatwg.org/#http-cors-protocol).
///
/// Pages can be read by anyone, so a browser may only use device keys, and only for what a device posts.
struct BrowserRequest {
    typealias Verdict = BrowserMetrics.Verdict

    /// As the browser sent it.
    let origin: String

    /// Returns `nil` unless a browser sent the request for a page or a service worker.
    init?(_ headers: HTTPFields) {
        guard let origin = headers[.origin] else { return nil }
        self.origin = origin
    }

    /// A browser asks before the request, without a key.
    func preflight(_ origins: WebOrigins) -> Verdict { origins.contains(origin) ? .allowed : .otherOrigin }

    func verdict(for credential: Credential) -> Verdict {
        credential.kind == .device ? preflight(credential.app.origins) : .secretKey
    }

    /// The header fields with which a page may read a response.
    var allowing: HTTPFields {
        [
            .accessControlAllowOrigin: origin,
            .accessControlExposeHeaders: "Retry-After, X-Request-ID, RateLimit, RateLimit-Policy",
        ]
    }

    func preflightAllowing(_ method: HTTPRequest.Method) -> HTTPFields {
        [
            .accessControlAllowOrigin: origin, .accessControlAllowMethods: method.rawValue,
            .accessControlAllowHeaders: "Authorization, Content-Type, Content-Encoding, Landfall-Credential",
            // Two hours, which is the longest that Chromium remembers it. Each request is checked anyway.
            .accessControlMaxAge: "7200",
        ]
    }
}

extension BrowserMetrics.Verdict {
    fileprivate var problem: Problem? {
        let detail: String? =
            switch self {
            case .allowed: nil
            case .otherOrigin:
                "no app, or not the key's app, lists the page's origin: landfall app set cors_origins"
            case .secretKey:
                "a page uses a key that belongs on a server: revoke the key, and give the page a device key"
            }
        return detail.map { Problem(.forbidden, rawValue, $0) }
    }
}

/// Rejects requests of pages that may not use the key. Runs once the key is known.
struct BrowserMiddleware: RouterMiddleware {
    typealias Context = LandfallRequestContext

    let metrics: BrowserMetrics

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        if let browser = BrowserRequest(request.headers), let credential = context.credential {
            let verdict = browser.verdict(for: credential)
            metrics.request(verdict, with: credential)
            if let problem = verdict.problem { throw problem }
            context.caller.isAllowedPage = true
        }
        return try await next(request, context)
    }
}

/// Lets allowed pages read the response, whether it is a problem or not. Runs outside of
/// ``ProblemMiddleware``.
struct BrowserResponseMiddleware: RouterMiddleware {
    typealias Context = LandfallRequestContext

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        guard let browser = BrowserRequest(request.headers) else { return response }
        response.headers.append(HTTPField(name: .vary, value: "Origin"))
        if context.caller.isAllowedPage { response.headers.append(contentsOf: browser.allowing) }
        return response
    }
}

/// `OPTIONS` of the routes that browsers may use. A preflight carries no key, so any app's origin is allowed.
struct PreflightController {
    let cells: Cells
    let metrics: BrowserMetrics

    func addRoutes(to router: Router<LandfallRequestContext>) {
        let routes: [(RouterPath, HTTPRequest.Method, String)] = [
            ("v1/events", .post, "OPTIONS, POST"),
            ("v1/devices/:device_id", .put, "DELETE, OPTIONS, PUT"),
            ("v1/devices/:device_id/tokens", .delete, "DELETE, OPTIONS"),
        ]
        for (path, method, all) in routes {
            router.on(path, method: .options) { request, _ in
                guard let browser = BrowserRequest(request.headers),
                    request.headers[.accessControlRequestMethod] != nil
                else { return Response(status: .noContent, headers: [.allow: all]) }
                let verdict = try await self.verdict(browser)
                metrics.preflight(verdict)
                if let problem = verdict.problem { throw problem }
                return Response(status: .noContent, headers: browser.preflightAllowing(method))
            }
        }
    }

    /// An origin is allowed if an app of any cell allows it.
    private func verdict(_ browser: BrowserRequest) async throws -> BrowserRequest.Verdict {
        @Sendable func isAllowed(_ origins: WebOrigins) -> Bool { browser.preflight(origins) == .allowed }
        // While its query is running, a ring that is asked again returns the last known origins.
        for _ in 0..<2 {
            let origins = try await cells.each(
                within: .milliseconds(500), { try await $0.origins.origins() }, until: isAllowed)
            if origins.values.contains(where: isAllowed) { return .allowed }
            if origins.count == cells.numbers.count { return .otherOrigin }
        }
        throw Problem.databaseUnavailable
    }
}
