internal import Access
internal import Hummingbird

/// Counts requests by key and address, and refuses what is too much. Whose limit it is learns from every answer how much of
/// it is left.
struct RateLimitMiddleware: RouterMiddleware {
    typealias Context = LandfallRequestContext

    struct Caller: Hashable {
        let keyID: Int64
        let network: IPAddress
    }

    private let device: RateLimiter<Caller>?
    private let server: RateLimiter<Caller>?
    private let report: RateLimiter<Caller>?

    init(_ limits: ServerConfiguration.Limits) {
        device = limits.deviceRequests.map { RateLimiter($0, name: "device-key") }
        server = limits.serverRequests.map { RateLimiter($0, name: "server-key") }
        report = limits.reportRequests.map { RateLimiter($0, name: "report-key") }
    }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let credential = context.credential, let limiter = limiter(for: credential.kind) else {
            return try await next(request, context)
        }
        let caller = Caller(keyID: credential.keyID, network: context.clientAddress.network)
        let allowance = limiter.take(caller, at: .now)
        guard allowance.isGranted else {
            throw limiter.problem(
                allowance, "too many requests with this key: repeat the request later, as it was")
        }
        do {
            var response = try await next(request, context)
            response.headers.append(contentsOf: limiter.fields(allowance))
            return response
        } catch {
            guard var problem = error as? Problem else { throw error }
            problem.headers.append(contentsOf: limiter.fields(allowance))
            throw problem
        }
    }

    private func limiter(for kind: APIKey.Kind) -> RateLimiter<Caller>? {
        switch kind {
        case .device: device
        case .server: server
        case .report: report
        }
    }
}
