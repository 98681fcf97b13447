internal import Access
internal import HTTPTypes
internal import Hummingbird

/// Counts requests by key and address, and rejects those beyond the limit. Every response says how much of the limit is left.
struct RateLimitMiddleware: RouterMiddleware {
    typealias Context = LandfallRequestContext

    let limits: CallerLimits

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let credential = context.credential else { return try await next(request, context) }
        let fields = try limits.take(credential, from: context.clientAddress)
        do {
            var response = try await next(request, context)
            response.headers.append(contentsOf: fields)
            return response
        } catch {
            guard var problem = error as? Problem else { throw error }
            problem.headers.append(contentsOf: fields)
            throw problem
        }
    }
}
