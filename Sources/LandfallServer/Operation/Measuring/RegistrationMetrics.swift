internal import CoreMetrics
internal import PrometheusMetrics
internal import Synchronization
internal import TokenLifecycle

/// The metrics of registrations: by what right they came, and who vouches for their accounts.
final class RegistrationMetrics: Sendable {
    private let claims: [InstallationClaim: Counter]
    private let rejected: Counter
    private let accounts: [String: Counter]
    private let newlyRejected = Atomic<Int64>(0)

    init(_ factory: any MetricsFactory) {
        claims = Dictionary(
            uniqueKeysWithValues: InstallationClaim.allCases.map { claim in
                (claim, Self.counter(MetricCatalog.registrations.name, ("claim", claim.rawValue), factory))
            })
        rejected = Self.counter(MetricCatalog.registrations.name, ("claim", "rejected"), factory)
        accounts = Dictionary(
            uniqueKeysWithValues: ["verified", "missing", "invalid"].map { name in
                (name, Self.counter(MetricCatalog.accountClaims.name, ("proof", name), factory))
            })
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

    private static func counter(
        _ name: String, _ label: (String, String), _ factory: any MetricsFactory
    ) -> Counter {
        Counter(label: name, dimensions: [label], factory: factory)
    }
}
