internal import HTTPTypes
internal import Synchronization

/// Bounds what devices post by its worth: an address pays for noise, and for nothing else (docs/trust.md).
///
/// An address of IPv4 has an account, a network of IPv6 (/64) has one too, and its site (/48) one with ten times as much.
final class NoiseLimiter: Sendable {
    private struct State {
        var networks: NoiseAccounts<IPAddress>
        var sites: NoiseAccounts<IPAddress>
        var repeats: RecentRepeats
    }

    private static let networksPerSite = 10

    private let policy: RatePolicy
    private let state: Mutex<State>
    private let now: @Sendable () -> ContinuousClock.Instant

    init(
        _ limit: RateLimit, mostWaiting: Int,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.now = now
        policy = RatePolicy(name: "device-key", limit: limit)
        let ofSite = RateLimit(
            perSecond: limit.perSecond * Double(Self.networksPerSite),
            burst: limit.burst * Self.networksPerSite)
        state = Mutex(
            State(
                networks: NoiseAccounts(limit, mostWaiting: mostWaiting),
                sites: NoiseAccounts(ofSite, mostWaiting: mostWaiting * Self.networksPerSite),
                repeats: RecentRepeats(at: now())))
    }

    /// Lets a request begin. It waits, as one event, until its toll is settled.
    ///
    /// - Throws: 429 if the address has no token left, or too much of it waits.
    func begin(from address: IPAddress) throws(Problem) -> (toll: Toll, fields: HTTPFields) {
        let (network, site) = (address.network, address.site)
        let allowance = state.withLock { state in
            let now = self.now()
            let allowance = state.networks.begin(network, at: now)
            guard allowance.isGranted, let site else { return allowance }
            let ofSite = state.sites.begin(site, at: now)
            if !ofSite.isGranted { state.networks.end(1, paying: 0, of: network, at: now) }
            return ofSite.isGranted ? allowance : ofSite
        }
        guard allowance.isGranted else { throw problem(allowance) }
        return (Toll(self, of: address), policy.fields(allowance))
    }

    /// - Throws: 429 if too much of the address waits.
    fileprivate func add(_ count: Int, to address: IPAddress) throws(Problem) {
        let isGranted = state.withLock { state in
            guard state.networks.add(count, to: address.network) else { return false }
            guard let site = address.site, !state.sites.add(count, to: site) else { return true }
            state.networks.end(count, paying: 0, of: address.network, at: now())
            return false
        }
        guard isGranted else { throw problem(.later) }
    }

    fileprivate func end(_ count: Int, _ noise: Noise, of address: IPAddress) {
        state.withLock { state in
            let now = self.now()
            var paying = noise.count
            for hash in noise.repeats where !state.repeats.isFree(hash, at: now) { paying += 1 }
            state.networks.end(count, paying: paying, of: address.network, at: now)
            if let site = address.site { state.sites.end(count, paying: paying, of: site, at: now) }
        }
    }

    private func problem(_ allowance: TokenBucket.Allowance) -> Problem {
        policy.problem(
            allowance,
            "too many events from this address are about nothing that is known: repeat the request later, unchanged"
        )
    }
}

/// What a request owes its address. The code that learns the outcome settles it; a request without an outcome pays for one event.
final class Toll: Sendable {
    private let limiter: NoiseLimiter
    private let address: IPAddress
    /// The events that wait; 0 once the toll is settled.
    private let waiting = Atomic<Int>(1)

    fileprivate init(_ limiter: NoiseLimiter, of address: IPAddress) {
        self.limiter = limiter
        self.address = address
    }

    /// States the number of the request's events, before they wait for their verdicts.
    ///
    /// - Throws: 429 if too many events of the address wait.
    func expect(_ count: Int) throws(Problem) {
        guard count > 1 else { return }
        try limiter.add(count - 1, to: address)
        waiting.add(count - 1, ordering: .relaxed)
    }

    /// Only the first call counts.
    func settle(_ noise: Noise) {
        let count = waiting.exchange(0, ordering: .acquiringAndReleasing)
        if count > 0 { limiter.end(count, noise, of: address) }
    }

    deinit { settle(.request) }
}
