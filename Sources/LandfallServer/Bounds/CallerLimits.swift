internal import Access
internal import DeliveryModel
internal import Foundation
internal import HTTPTypes
internal import Hummingbird

/// The limits of callers with a valid key: what devices post without a proof, and the requests with other
/// keys by key and address.
struct CallerLimits: Sendable {
    private struct KeyCaller: Hashable {
        let keyID: Int64
        let network: IPAddress
    }

    /// One who posts about an installation. Others who know its id are counted apart from its device, unless
    /// they share the device's address. The credential is not part of it, because anyone can invent one.
    private struct InstallationCaller: Hashable {
        let appID: Int64
        let deviceID: UUID
        let site: IPAddress
    }

    /// A request that may go on.
    struct Admission {
        /// `nil` without a device key.
        var ticket: Ticket?
        /// Header fields that say how much is left; none if the caller is not limited.
        var fields: HTTPFields = [:]
    }

    private let traffic: UnprovenTraffic
    private let installations: RateLimiter<InstallationCaller>?
    private let server: RateLimiter<KeyCaller>?
    private let report: RateLimiter<KeyCaller>?
    private let rejections: RateLimitRejections
    private let now: @Sendable () -> ContinuousClock.Instant

    init(_ limits: ServerConfiguration.Limits, _ traffic: UnprovenTraffic, _ rejections: RateLimitRejections)
    {
        self.traffic = traffic
        installations = limits.installationRequests.map { RateLimiter($0, name: "installation") }
        server = limits.serverRequests.map { RateLimiter($0, name: "server-key") }
        report = limits.reportRequests.map { RateLimiter($0, name: "report-key") }
        self.rejections = rejections
        now = limits.steadyTime
    }

    /// Lets a request with a device key begin, and counts any other.
    ///
    /// - Throws: 429 if nothing was left.
    func admit(_ credential: Credential, from address: IPAddress) throws(Problem) -> Admission {
        guard credential.kind != .device else { return try traffic.begin(credential, from: address) }
        let fields = try take(
            credential.kind == .report ? report : server,
            KeyCaller(keyID: credential.keyID, network: address.network), credential.kind,
            "too many requests with this key: repeat the request later, unchanged")
        return Admission(fields: fields)
    }

    /// Counts a request with a device key about one installation. Its address may pay nothing for it, so it
    /// has a limit of its own.
    ///
    /// - Throws: 429 if there were too many.
    func take(_ deviceID: UUID, _ credential: Credential, from address: IPAddress) throws(Problem) {
        guard credential.kind == .device else { return }
        let caller = InstallationCaller(
            appID: credential.app.appID, deviceID: deviceID, site: address.client)
        _ = try take(
            installations, caller, credential.kind,
            "too many requests about this installation: repeat the request later")
    }

    /// The response to an installation that registered too many values of a kind within a day.
    func tooManyValues(_ kind: TokenKind) -> Problem {
        rejections.count(.device)
        return Problem(
            .tooManyRequests, "rate_limited",
            "this installation registered too many new values of kind \(kind.rawValue) within a day: register only the tokens "
                + "that the system gives the app, and repeat the request later",
            headers: [.retryAfter: "3600"])
    }

    private func take<Key: Hashable & Sendable>(
        _ limiter: RateLimiter<Key>?, _ caller: Key, _ kind: APIKey.Kind, _ detail: String
    ) throws(Problem) -> HTTPFields {
        guard let limiter else { return [:] }
        let allowance = limiter.take(caller, at: now())
        guard allowance.isGranted else {
            rejections.count(kind)
            throw limiter.policy.problem(allowance, detail)
        }
        return limiter.policy.fields(allowance)
    }
}

/// Rejects requests beyond the limits of their callers, and settles the tickets of devices' requests. Every
/// response says how much of the limit is left.
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
