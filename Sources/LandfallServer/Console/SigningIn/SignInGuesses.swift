/// The limits on guessing passphrases, by address and by name.
struct SignInGuesses: Sendable {
    private let addresses: RateLimiter<IPAddress>
    private let names: RateLimiter<String>
    private let now: @Sendable () -> ContinuousClock.Instant

    init(now: @escaping @Sendable () -> ContinuousClock.Instant) {
        addresses = RateLimiter(RateLimit(perSecond: 0.2, burst: 20), name: "sign-in-address")
        // A person who forgot the passphrase needs a new link; a program that guesses needs decades.
        names = RateLimiter(RateLimit(perSecond: 0.02, burst: 20), name: "sign-in-name", capacity: 10_000)
        self.now = now
    }

    func excess(from address: IPAddress) -> Problem? {
        problem(addresses.policy, addresses.take(address.client, at: now()))
    }

    func excess(of name: String) -> Problem? {
        problem(names.policy, names.take(name.lowercased(), at: now()))
    }

    private func problem(_ policy: RatePolicy, _ allowance: TokenBucket.Allowance) -> Problem? {
        guard !allowance.isGranted else { return nil }
        return policy.problem(allowance, "too many attempts to sign in: wait, or ask for a new link")
    }

    func giveBack(_ name: String, from address: IPAddress) {
        addresses.giveBack(address.client)
        names.giveBack(name.lowercased())
    }
}
