import HTTPTypes
import Testing

@testable import LandfallServer

@Suite struct RateLimitTests {
    private let start = ContinuousClock.now
    private let limit = RateLimit(perSecond: 2, burst: 3)

    @Test("a full bucket grants its burst at once, then one request for each token refilled")
    func burstAndRefill() {
        var bucket = TokenBucket(at: start)
        let first = (0..<4).map { _ in bucket.take(limit, at: start) }
        #expect(first.map(\.isGranted) == [true, true, true, false])
        #expect(first.map(\.remaining) == [2, 1, 0, 0])
        #expect(first[3].wait == .milliseconds(500))
        let later = (0..<2).map { _ in bucket.take(limit, at: start + .milliseconds(600)) }
        #expect(later.map(\.isGranted) == [true, false])
        #expect(later[1].wait == .milliseconds(400))
    }

    @Test("a bucket unused for a long time is full, and not fuller")
    func neverMoreThanFull() {
        var bucket = TokenBucket(at: start)
        _ = bucket.take(limit, at: start)
        let later = (0..<4).map { _ in bucket.take(limit, at: start + .seconds(1_000)).isGranted }
        #expect(later == [true, true, true, false])
    }

    @Test(
        "over a long time exactly the rate is granted, in any rhythm", arguments: [0.1, 3, 7, 20, 999])
    func longRun(perSecond: Double) {
        let limit = RateLimit(perSecond: perSecond, burst: 5)
        var bucket = TokenBucket(at: start)
        let granted = (0..<40_000).filter { step in
            bucket.take(limit, at: start + .milliseconds(step * 5)).isGranted
        }
        let expected = min(40_000, 5 + perSecond * 200)
        #expect(abs(Double(granted.count) - expected) <= 1 + expected / 1_000)
    }

    @Test("a returned token can be taken again")
    func giveBack() {
        let limiter = RateLimiter<Int>(RateLimit(perSecond: 0.01, burst: 1), name: "test")
        #expect(limiter.take(7, at: start).isGranted)
        #expect(limiter.take(7, at: start).isGranted == false)
        limiter.giveBack(7)
        #expect(limiter.take(7, at: start).isGranted)
    }

    @Test("each caller has its own bucket; the most recently used ones are remembered")
    func boundedMemory() {
        let limiter = RateLimiter<Int>(RateLimit(perSecond: 0.01, burst: 1), name: "test", capacity: 100)
        for caller in 0..<10_000 {
            #expect(limiter.take(caller, at: start).isGranted)
            #expect(limiter.take(-1, at: start).isGranted == (caller == 0))
            #expect(limiter.count <= 100)
        }
        #expect(limiter.take(9_999, at: start).isGranted == false)
        #expect(limiter.take(0, at: start).isGranted)
    }

    @Test("the fields state the quota, what is left, and when it is full again or a token is available")
    func fields() {
        let limiter = RateLimiter<Int>(RateLimit(perSecond: 20, burst: 100), name: "device-key")
        let granted = (0..<100).map { _ in limiter.take(1, at: start) }
        let text = limiter.policy.fields(granted[0]).map { "\($0.name): \($0.value)" }
        #expect(text == [#"RateLimit-Policy: "device-key";q=100;w=5"#, #"RateLimit: "device-key";r=99;t=1"#])
        let rejected = limiter.policy.problem(limiter.take(1, at: start), "")
        #expect(rejected.headers[.retryAfter] == "1")
        #expect(rejected.headers.contains { $0.value == #""device-key";r=0;t=1"# })
    }
}
