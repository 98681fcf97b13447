import DeliveryModel
import Testing

struct BreakerRulesTests {
    private func isExceeded(
        _ retired: Int64, of attempted: Int64, usual: Double = 0, _ rules: BreakerRules = BreakerRules()
    ) -> Bool {
        rules.isExceeded(by: BreakerCounts(attempted: attempted, retired: retired), usual: usual)
    }

    @Test(
        "the breaker opens at twenty retired tokens or more, if they are significantly more than a fifth of those attempted",
        arguments: [(20, 20), (20, 60), (24, 80), (28, 100), (52, 200), (225, 1_000)] as [(Int64, Int64)])
    func limit(retired: Int64, attempted: Int64) {
        #expect(isExceeded(retired, of: attempted))
        #expect(!isExceeded(retired - 1, of: attempted))
    }

    @Test(
        "a share that is usual for the app opens nothing; three times as much does", arguments: [0.1, 0.15])
    func usual(share: Double) {
        let limit = Int64(3 * share * 1_000)
        #expect(!isExceeded(limit, of: 1_000, usual: share))
        #expect(isExceeded(limit + 40, of: 1_000, usual: share))
    }

    @Test("significantly more than half is never usual", arguments: [0.17, 0.4, 1])
    func neverUsual(share: Double) {
        #expect(!isExceeded(500, of: 1_000, usual: share))
        #expect(isExceeded(540, of: 1_000, usual: share))
    }

    @Test("an app may set both limits")
    func ownLimits() {
        var rules = BreakerRules()
        rules.minimum = 3
        rules.share = 0.5
        #expect(!isExceeded(2, of: 2, rules))
        #expect(!isExceeded(3, of: 3, rules) && isExceeded(4, of: 4, rules))
        #expect(!isExceeded(6, of: 10, rules) && isExceeded(9, of: 10, rules))
        rules.share = 1
        #expect(!isExceeded(1_000_000, of: 1_000_000, rules))
    }

    @Test("no attempts, or more retired than attempted, cause no division error")
    func edges() {
        #expect(!isExceeded(20, of: 0))
        #expect(isExceeded(40, of: 30))
    }
}
