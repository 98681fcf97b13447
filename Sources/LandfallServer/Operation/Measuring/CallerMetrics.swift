internal import Access
internal import CoreMetrics
internal import DeliveryModel
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
            case .server, .hook: counts.server += 1
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
final class StatementTimeouts: Sendable {
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

/// Requests that browsers sent for pages, by verdict, and the keys that should not have been there.
final class BrowserMetrics: Sendable {
    enum Verdict: String, CaseIterable, Sendable {
        case allowed
        case otherOrigin = "origin_not_allowed"
        case secretKey = "key_not_for_browsers"
    }

    /// Only valid keys are noted, so there are few.
    private static let mostKeys = 100

    private let preflights: [Verdict: Counter]
    private let requests: [Verdict: Counter]
    private let secretKeys = Mutex<(keys: [KeysInPages.Key], isUsed: Bool)>(([], false))

    init(_ factory: any MetricsFactory) {
        preflights = Self.counters("preflight", [.allowed, .otherOrigin], factory)
        requests = Self.counters("request", Verdict.allCases, factory)
    }

    private static func counters(
        _ kind: String, _ verdicts: [Verdict], _ factory: any MetricsFactory
    ) -> [Verdict: Counter] {
        let counters = verdicts.map { factory.counter(MetricCatalog.browserRequests, kind, $0.rawValue) }
        return Dictionary(uniqueKeysWithValues: zip(verdicts, counters))
    }

    func preflight(_ verdict: Verdict) { preflights[verdict]?.increment() }

    func request(_ verdict: Verdict, with credential: Credential) {
        requests[verdict]?.increment()
        guard verdict == .secretKey else { return }
        let key = KeysInPages.Key(
            app: credential.app.slug, keyID: credential.keyID, kind: credential.kind.rawValue)
        secretKeys.withLock { known in
            known.isUsed = true
            if !known.keys.contains(key), known.keys.count < Self.mostKeys { known.keys.append(key) }
        }
    }

    /// All secret keys that pages used; `nil` if none did since this was asked last.
    func takeKeysInPages() -> KeysInPages? {
        secretKeys.withLock { known in
            defer { known.isUsed = false }
            return known.isUsed ? KeysInPages(keys: known.keys) : nil
        }
    }
}
