internal import Hummingbird

/// Rejects query parameters that the route does not accept: an ignored misspelled filter would select all.
struct QueryMiddleware: RouterMiddleware {
    typealias Context = LandfallRequestContext

    /// The accepted parameters by the template of the path. A route that is not listed accepts none.
    private static let accepted: [String: [String]] = {
        let reports = ReportRoute.all.map { ("/v1/reports/\($0.name)", $0.parameters) }
        return Dictionary(
            reports + [("/v1/tokens", FeedQuery.tokens), ("/v1/token-changes", FeedQuery.changes)]
                + [("/readyz", ["cell"]), (IntakeController.path, ["key"])]
        ) { first, _ in first }
    }()

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        if let query = request.uri.query {
            let route = context.routeTemplate
            try QueryParameters.check(
                query, against: Self.accepted[route] ?? [],
                of: route.hasPrefix("/v1/reports/") ? "report" : "request")
        }
        return try await next(request, context)
    }
}
