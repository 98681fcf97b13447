internal import HTTPTypes
internal import Hummingbird

/// Rejects requests of pages that may not use the key. Runs once the key is known.
struct BrowserMiddleware: RouterMiddleware {
    typealias Context = LandfallRequestContext

    let metrics: BrowserMetrics

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let browser = BrowserRequest(request.headers), let credential = context.credential else {
            return try await next(request, context)
        }
        let verdict = browser.verdict(for: credential)
        metrics.request(verdict, with: credential)
        if let problem = verdict.problem { throw problem }
        context.caller.isAllowedPage = true
        return try await next(request, context)
    }
}

/// Lets allowed pages read the response, whether it is a problem or not. Runs outside of ``ProblemMiddleware``.
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
