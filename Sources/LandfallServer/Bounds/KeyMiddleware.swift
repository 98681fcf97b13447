internal import Access
internal import DeliveryModel
internal import HTTPTypes
internal import Hummingbird

/// Passes requests with a valid key on, with the key's credential and the client's address.
///
/// Requests without a valid key are counted by address; beyond the limit they are rejected. A client that
/// shares its address with one that guesses keys is still served: a key that was valid recently passes, and
/// is checked again when its time is over. Beyond the limit, other keys are looked up many at a time, so that
/// guessing costs the database little.
struct KeyMiddleware: RouterMiddleware {
    typealias Context = LandfallRequestContext

    private let keys: KeyRing
    private let sieve: KeySieve
    private let addresses: ClientAddresses
    private let failures: RateLimiter<IPAddress>?
    private let rejections: RateLimitRejections
    private let now: @Sendable () -> ContinuousClock.Instant
    private let hasSeveralCells: Bool

    init(_ limits: ServerConfiguration.Limits, _ backend: Backend) {
        keys = backend.keys
        sieve = backend.sieve
        rejections = backend.metrics.rateLimits
        now = limits.steadyTime
        hasSeveralCells = !backend.cells.others.isEmpty
        addresses = ClientAddresses(trustedProxies: limits.trustedProxies)
        failures = limits.failedAuthentications.map { RateLimiter($0, name: "failed-authentication") }
    }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.clientAddress = addresses.client(request.headers, socket: context.channel.remoteAddress)
        let digest = Self.digest(of: request, context)
        let credential = try await credential(for: digest, from: context.clientAddress.network)
        context.credential = credential
        if request.headers[.authorization] == nil, credential.kind != .hook { throw Problem.keyInAddress }
        guard hasSeveralCells, [.get, .head].contains(request.method) else {
            return try await next(request, context)
        }
        let response: Result<Response, any Error>
        do {
            response = .success(try await next(request, context))
        } catch  where Problem(error).status.code < 500 {
            response = .failure(error)
        }
        // An app's former cell rejects only writers, and its rows may be gone. Looking up the key again after
        // they were read shows whether the app was still there.
        guard let digest, let present = try await keys.ask(digest),
            present.app.cell != credential.app.cell
        else { return try response.get() }
        context.credential = present
        return try await next(request, context)
    }

    /// The digest of the request's key; `nil` without one. Senders that cannot set a header field put a key
    /// into the address of their hook, and only there.
    private static func digest(of request: Request, _ context: Context) -> KeyDigest? {
        if let field = request.headers[.authorization] { return KeyDigest(authorization: field) }
        guard context.routeTemplate == IntakeController.path,
            let key = try? QueryParameters(query: request.uri.query, plus: .isPlus).one("key")
        else { return nil }
        return KeyDigest(of: key)
    }

    private func credential(
        for digest: KeyDigest?, from network: IPAddress
    ) async throws -> Credential {
        guard let digest else { throw failure(from: network) }
        switch keys.recall(digest) {
        case .valid(let credential): return credential
        case .invalid: throw failure(from: network)
        case .outdated, .asked:
            guard let credential = try await keys.credential(for: digest) else {
                throw failure(from: network)
            }
            return credential
        case .unheard: return try await newCredential(for: digest, from: network)
        }
    }

    /// Counts first and then queries, so that many concurrent requests cannot all query by themselves.
    ///
    /// A key whose cell is not open counts as an invalid one, because anyone can invent it, and gets 503, or
    /// 429 beyond the limit. Devices repeat posts after either; once the cell is open, valid keys pass.
    private func newCredential(for digest: KeyDigest, from network: IPAddress) async throws -> Credential {
        if let problem = excess(of: network) {
            let isKnown: Bool
            do {
                isKnown = try await sieve.knows(digest)
            } catch is Problem {
                throw rejected(problem)
            }
            guard isKnown, let credential = try await keys.credential(for: digest)
            else { throw rejected(problem) }
            return credential
        }
        let credential: Credential?
        do {
            credential = try await keys.credential(for: digest)
        } catch let closed as Problem {
            throw closed
        } catch {
            failures?.giveBack(network)
            throw error
        }
        guard let credential else { throw Problem.unauthorized }
        failures?.giveBack(network)
        return credential
    }

    private func failure(from network: IPAddress) -> Problem {
        excess(of: network).map(rejected) ?? .unauthorized
    }

    private func rejected(_ problem: Problem) -> Problem {
        rejections.count(nil)
        return problem
    }

    /// Counts a failure; returns a problem if there were too many.
    private func excess(of network: IPAddress) -> Problem? {
        guard let failures else { return nil }
        let allowance = failures.take(network, at: now())
        guard !allowance.isGranted else { return nil }
        return failures.policy.problem(
            allowance, "too many requests without a valid key came from this address")
    }
}

extension Problem {
    fileprivate static let keyInAddress = Problem(
        .forbidden, "wrong_key_kind",
        "only a hook key may be in an address, because others can read it there: create one (landfall key create "
            + "--kind hook), and revoke a server or report key that was there (landfall key revoke)")
}

extension KeyDigest {
    /// Returns `nil` unless the header is `Bearer lf_…`, with the scheme in any case.
    init?(authorization header: String) {
        let scheme = "bearer ".utf8
        // Setting this bit makes a letter lowercase and leaves the space as it is.
        guard header.utf8.count > scheme.count, zip(header.utf8, scheme).allSatisfy({ $0 | 0x20 == $1 })
        else { return nil }
        self.init(of: Substring(header.utf8.dropFirst(scheme.count)))
    }
}

/// The digest of the latest key: a connection's requests mostly have the same.
struct LastDigest {
    private var authorization: String?
    private var digest: KeyDigest?

    mutating func digest(of authorization: String) -> KeyDigest? {
        if authorization != self.authorization {
            self.authorization = authorization
            digest = KeyDigest(authorization: authorization)
        }
        return digest
    }
}

extension LandfallRequestContext {
    /// The request's credential, if its key is of one of these kinds.
    ///
    /// - Throws: 401 or 403 otherwise.
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
