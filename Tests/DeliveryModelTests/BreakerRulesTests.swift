import DeliveryModel
import Testing

struct BreakerRulesTests {
    @Test(
        "a hundred tokens may always retire, and a fifth of what was attempted",
        arguments: [(0, 100), (499, 100), (500, 100), (505, 101), (1_000, 200), (1_000_000, 200_000)]
            as [(Int64, Int64)])
    func limit(attempted: Int64, limit: Int64) {
        #expect(BreakerRules().limit(attempted: attempted) == limit)
    }

    @Test("an app may set both")
    func ownLimits() {
        var rules = BreakerRules()
        rules.minimum = 3
        rules.share = 0.5
        #expect(rules.limit(attempted: 0) == 3)
        #expect(rules.limit(attempted: 100) == 50)
    }
}
