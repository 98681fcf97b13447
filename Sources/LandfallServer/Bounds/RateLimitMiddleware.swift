internal import Access
internal import HTTPTypes
internal import Hummingbird

/// Rejects requests beyond the limits of their callers, and settles the tickets of devices' requests. Every response says how much of
/// the limit is left.
struct RateLimitMiddleware: RouterMiddleware {
    typealias Context = LandfallRequestContext

    let limits: CallerLimits

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let credential = context.credential else { return try await next(request, context) }
        let admission = try limits.admit(credential, from: context.clientAddress)
        let fields = admission.fields
        var context = context
        context.ticket = admission.ticket
        do {
            var response = try await next(request, context)
            // Unless the controller has settled it.
            admission.ticket?.settle(Charge(of: response.status))
            response.headers.append(contentsOf: fields)
            return response
        } catch {
            admission.ticket?.settle(Charge(of: Problem(error).status))
            guard var problem = error as? Problem else { throw error }
            problem.headers.append(contentsOf: fields)
            throw problem
        }
    }
}
