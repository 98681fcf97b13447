internal import Hummingbird

/// Gives every route exactly one path: 404 for an extra slash at the end or between two segments.
///
/// The router skips empty segments, so `/metrics/` and `//metrics` would get past a proxy's rule for
/// `/metrics`. It does not decode percent signs, resolve dots or fold case, so no other spelling matches.
struct ExactPathMiddleware: RouterMiddleware {
    typealias Context = LandfallRequestContext

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.path
        let hasEmptySegment = zip(path.utf8, path.utf8.dropFirst()).contains {
            $0 == UInt8(ascii: "/") && $1 == UInt8(ascii: "/")
        }
        guard !hasEmptySegment, path == "/" || path.utf8.last != UInt8(ascii: "/") else {
            throw HTTPError(.notFound)
        }
        return try await next(request, context)
    }
}
