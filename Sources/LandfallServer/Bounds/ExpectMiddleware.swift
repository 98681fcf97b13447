internal import Hummingbird

/// Handles `Expect: 100-continue`: the client is told to send its body when a handler wants to read it, so that no client sends a
/// body that is discarded.
struct ExpectMiddleware: RouterMiddleware {
    typealias Context = LandfallRequestContext

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.headers[.expect]?.lowercased() == "100-continue" else {
            return try await next(request, context)
        }
        var request = request
        request.body = RequestBody(
            asyncSequence: BodyOnDemand(body: request.body, channel: context.channel))
        return try await next(request, context)
    }
}
