internal import Hummingbird

/// Gives every route one path and no other: 404 for a slash too many, at the end or between two segments.
///
/// The router skips empty segments, so `/metrics/` and `//metrics` would get past a rule that a proxy has for `/metrics`. It does not
/// decode percent signs, resolve dots or fold case, so other spellings match no route.
struct ExactPathMiddleware: RouterMiddleware {
    typealias Context = LandfallRequestContext

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.path
        let hasEmptySegment = zip(path.utf8, path.utf8.dropFirst()).contains {
            $0 == UInt8(ascii: "/") && $1 == UInt8(ascii: "/")
        }
        guard !hasEmptySegment, path.utf8.last != UInt8(ascii: "/") else { throw HTTPError(.notFound) }
        return try await next(request, context)
    }
}
