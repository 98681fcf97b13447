import Testing

@testable import landfall_bench

@Suite("Load outcome")
struct LoadOutcomeTests {
    @Test(
        "rates leave out the first fifth and what came after the end; the count of accepted events does not")
    func rates() {
        var outcome = LoadOutcome(seconds: 10)
        for now in [1.0, 2.5, 9.5, 10.5] { outcome.count(response(200), due: now - 0.5, now: now) }
        #expect(outcome.acceptedEvents == 400)
        #expect(outcome.eventsPerSecond == 25)
        #expect(outcome.requestsPerSecond == 0.25)
        #expect(outcome.latencies == [500, 500, 500, 500])
    }

    @Test("counts responses that ask the client to come back later apart from other errors")
    func rejections() {
        var outcome = LoadOutcome(seconds: 10)
        for status in [200, 503, 429, 500, 413] { outcome.count(response(status), due: 4, now: 5) }
        #expect([outcome.accepted, outcome.rejected, outcome.otherwise] == [1, 2, 2])
        #expect(outcome.responded == 5)
        #expect(outcome.latencies.count == 1)
    }

    private func response(_ status: Int) -> HTTPResponse {
        HTTPResponse(status: status, accepted: status == 200 ? 100 : 0, closes: false)
    }
}

@Suite("Percentiles")
struct PercentileTests {
    @Test("are the nearest rank of the sorted values")
    func nearestRank() {
        let values = (1...100).map(Double.init).shuffled()
        #expect(values.percentile(50) == 50)
        #expect(values.percentile(99) == 99)
        #expect(values.percentile(100) == 100)
        #expect([7.0].percentile(99) == 7)
        #expect([1.0, 2].percentile(50) == 1)
        #expect([Double]().percentile(50) == nil)
    }
}
