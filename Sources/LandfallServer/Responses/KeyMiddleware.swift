internal import Access
internal import Hummingbird

/// Lets requests with a valid key pass, and notes whose it is and where it came from.
///
/// Requests without a valid key are counted by address, and beyond the limit refused before the database is asked. Who
/// shares the address with somebody who guesses keys does not suffer: a key that was valid a moment ago passes whatever the
/// others do, and is asked about again when its time is over. Only a key that this server has not seen lately waits until
/// the guessing has slowed down.
struct KeyMiddleware: RouterMiddleware {
    typealias Context = LandfallRequestContext

    private let keys: KeyRing
    private let addresses: ClientAddresses
    private let failures: RateLimiter<IPAddress>?

    init(keys: KeyRing, limits: ServerConfiguration.Limits) {
        self.keys = keys
        addresses = ClientAddresses(trustedProxies: limits.trustedProxies)
        failures = limits.failedAuthentications.map { RateLimiter($0, name: "failed-authentication") }
    }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.clientAddress = addresses.client(request.headers, socket: context.channel.remoteAddress)
        context.credential = try await credential(for: request, from: context.clientAddress.network)
        return try await next(request, context)
    }

    private func credential(for request: Request, from network: IPAddress) async throws -> Credential {
        guard let digest = request.headers[.authorization].flatMap(KeyDigest.init(authorization:)) else {
            throw failure(from: network)
        }
        switch keys.recall(digest) {
        case .valid(let credential): return credential
        case .invalid: throw failure(from: network)
        case .outdated:
            guard let credential = try await keys.credential(for: digest) else {
                throw failure(from: network)
            }
            return credential
        case .unheard: return try await newCredential(for: digest, from: network)
        }
    }

    /// Counts first and asks then, so that many requests at once cannot all ask.
    private func newCredential(for digest: KeyDigest, from network: IPAddress) async throws -> Credential {
        if let problem = excess(of: network) { throw problem }
        let credential: Credential?
        do {
            credential = try await keys.credential(for: digest)
        } catch {
            failures?.giveBack(network)
            throw error
        }
        guard let credential else { throw Problem.unauthorized }
        failures?.giveBack(network)
        return credential
    }

    private func failure(from network: IPAddress) -> Problem {
        excess(of: network) ?? .unauthorized
    }

    /// Counts a failure; not nil when there were too many.
    private func excess(of network: IPAddress) -> Problem? {
        guard let failures else { return nil }
        let allowance = failures.take(network, at: .now)
        return allowance.isGranted
            ? nil
            : failures.problem(allowance, "too many requests without a valid key came from this address")
    }
}

extension KeyDigest {
    /// Nil unless the header is `Bearer lf_…`, the scheme in any case.
    init?(authorization header: String) {
        let scheme = "bearer ".utf8
        // Setting this bit makes lower case of a letter and leaves the space as it is.
        guard header.utf8.count > scheme.count, zip(header.utf8, scheme).allSatisfy({ $0 | 0x20 == $1 })
        else { return nil }
        self.init(of: Substring(header.utf8.dropFirst(scheme.count)))
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
