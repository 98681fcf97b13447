internal import Access
internal import HTTPTypes

/// The rate limits of callers with a valid key, by key and address.
struct CallerLimits: Sendable {
    private struct Caller: Hashable {
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

    /// Counts a request, and returns the header fields that say how many are left; none if the caller is not limited.
    ///
    /// - Throws: 429 with those fields if none was left.
    func take(_ credential: Credential, from address: IPAddress) throws(Problem) -> HTTPFields {
        guard let limiter = limiter(for: credential.kind) else { return [:] }
        let caller = Caller(keyID: credential.keyID, network: address.network)
        let allowance = limiter.take(caller, at: .now)
        guard allowance.isGranted else {
            throw limiter.problem(
                allowance, "too many requests with this key: repeat the request later, unchanged")
        }
        return limiter.fields(allowance)
    }

    private func limiter(for kind: APIKey.Kind) -> RateLimiter<Caller>? {
        switch kind {
        case .device: device
        case .server: server
        case .report: report
        }
    }
}
