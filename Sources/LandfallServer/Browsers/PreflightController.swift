internal import Access
internal import Hummingbird

/// `OPTIONS` of the routes that browsers may use. A preflight carries no key, so any app's origin is allowed.
struct PreflightController {
    let origins: OriginRing
    let metrics: BrowserMetrics

    func addRoutes(to router: Router<LandfallRequestContext>) {
        add("v1/events", .post, to: router)
        add("v1/devices/:device_id", .put, to: router)
        add("v1/devices/:device_id/tokens", .delete, to: router)
    }

    private func add(
        _ path: RouterPath, _ method: HTTPRequest.Method, to router: Router<LandfallRequestContext>
    ) {
        router.on(path, method: .options) { request, _ in
            guard let browser = BrowserRequest(request.headers),
                request.headers[.accessControlRequestMethod] != nil
            else {
                return Response(status: .noContent, headers: [.allow: "OPTIONS, \(method.rawValue)"])
            }
            let verdict = browser.preflight(try await origins.origins())
            metrics.preflight(verdict)
            if let problem = verdict.problem { throw problem }
            return Response(status: .noContent, headers: browser.preflightAllowing(method))
        }
    }
}
