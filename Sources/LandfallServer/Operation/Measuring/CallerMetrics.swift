internal import Access
internal import CoreMetrics
internal import Doctor
internal import PostgresClient
internal import Synchronization
internal import TokenLifecycle

/// The metrics of registrations: by what right they came, and who vouches for their accounts.
final class RegistrationMetrics: Sendable {
    private let claims: [InstallationClaim: Counter]
    private let rejected: Counter
    private let accounts: [String: Counter]
    private let newlyRejected = Atomic<Int64>(0)

    init(_ factory: any MetricsFactory) {
        claims = factory.counters(MetricCatalog.registrations, of: InstallationClaim.allCases, \.rawValue)
        rejected = factory.counter(MetricCatalog.registrations, "rejected")
        accounts = factory.counters(
            MetricCatalog.accountClaims, of: ["verified", "missing", "invalid"], \.self)
    }

    func registered(_ claim: InstallationClaim, account: String) {
        claims[claim]?.increment()
        accounts[account]?.increment()
    }

    func rejectedForCredential() {
        rejected.increment()
        newlyRejected.add(1, ordering: .relaxed)
    }

    /// The rejections since the last call, for the doctor (`ClientWatch`).
    func takeRejected() -> Int64 { newlyRejected.exchange(0, ordering: .relaxed) }
}

/// Requests that got 429 `rate_limited`, by kind of key: for `/metrics` and the doctor (`ClientWatch`).
final class RateLimitRejections: Sendable {
    private let counters: [APIKey.Kind?: Counter]
    private let counts = Mutex(RateLimitedRequests())

    init(_ factory: any MetricsFactory) {
        let kinds = APIKey.Kind.allCases.map(Optional.init) + [nil]
        counters = factory.counters(MetricCatalog.rateLimited, of: kinds) { $0?.rawValue ?? "none" }
    }

    /// - Parameter kind: `nil` for a request without a valid key.
    func count(_ kind: APIKey.Kind?) {
        counters[kind]?.increment()
        counts.withLock { counts in
            switch kind {
            case .device: counts.device += 1
            case .server: counts.server += 1
            case .report: counts.report += 1
            case nil: counts.withoutKey += 1
            }
        }
    }

    /// The counts since the last call.
    func take() -> RateLimitedRequests {
        counts.withLock { counts in
            defer { counts = RateLimitedRequests() }
            return counts
        }
    }
}

/// Counts statements that took too long for their request, for the doctor (`ClientWatch`).
final class SlowStatements: Sendable {
    private let counts = Mutex(SlowStatementCounts())

    func met(_ error: PostgresError) {
        guard let statement = error.slowStatement else { return }
        counts.withLock { $0.add(statement) }
    }

    /// The counts since the last call.
    func take() -> SlowStatementCounts {
        counts.withLock { counts in
            defer { counts = SlowStatementCounts() }
            return counts
        }
    }
}
