internal import Hummingbird
internal import NIOCore

/// Lets a client that asked with `Expect: 100-continue` send its body. Stands behind whatever refuses requests by their
/// head, so that nobody is asked for a body that is thrown away.
struct ExpectMiddleware: RouterMiddleware {
    typealias Context = LandfallRequestContext

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        if request.headers[.expect]?.lowercased() == "100-continue" {
            try await context.channel.triggerUserOutboundEvent(BodyWanted()).get()
        }
        return try await next(request, context)
    }
}
