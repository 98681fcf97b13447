internal import Access
internal import Hummingbird

/// `OPTIONS` of the routes that browsers may use. A preflight carries no key, so any app's origin is allowed.
struct PreflightController {
    let origins: OriginRing
    let metrics: BrowserMetrics

    func addRoutes(to router: Router<LandfallRequestContext>) {
        add("v1/events", .post, allow: "OPTIONS, POST", to: router)
        add("v1/devices/:device_id", .put, allow: "DELETE, OPTIONS, PUT", to: router)
        add("v1/devices/:device_id/tokens", .delete, allow: "DELETE, OPTIONS", to: router)
    }

    /// - Parameter allow: all methods of the path.
    private func add(
        _ path: RouterPath, _ method: HTTPRequest.Method, allow: String,
        to router: Router<LandfallRequestContext>
    ) {
        router.on(path, method: .options) { request, _ in
            guard let browser = BrowserRequest(request.headers),
                request.headers[.accessControlRequestMethod] != nil
            else {
                return Response(status: .noContent, headers: [.allow: allow])
            }
            let verdict = browser.preflight(try await origins.origins())
            metrics.preflight(verdict)
            if let problem = verdict.problem { throw problem }
            return Response(status: .noContent, headers: browser.preflightAllowing(method))
        }
    }
}
