internal import Access
internal import Hummingbird

/// Lets requests with a valid key pass and notes whose it is.
struct KeyMiddleware: RouterMiddleware {
    typealias Context = LandfallRequestContext

    let keys: KeyRing

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let header = request.headers[.authorization], header.lowercased().hasPrefix("bearer "),
            let credential = try await keys.credential(for: String(header.dropFirst("bearer ".count)))
        else { throw Problem.unauthorized }
        var context = context
        context.credential = credential
        return try await next(request, context)
    }
}

extension LandfallRequestContext {
    /// The app whose key this is, when the key is of one of these kinds.
    func requireCredential(_ kinds: APIKey.Kind...) throws -> Credential {
        guard let credential else { throw Problem.unauthorized }
        guard kinds.contains(credential.kind) else {
            let names = kinds.map(\.rawValue).joined(separator: " or ")
            throw Problem(
                .forbidden, "wrong_key_kind",
                "a \(credential.kind.rawValue) key may not do this: use a \(names) key")
        }
        return credential
    }
}
