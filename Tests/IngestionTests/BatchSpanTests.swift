import Testing

@testable import Ingestion

struct BatchSpanTests {
    @Test("each batch that takes too long halves the span, and batches with time to spare double it")
    func span() {
        var span = BatchSpan()
        span.wrote(10_000, in: .seconds(9))
        #expect(span.limit == .max)
        span.tookTooLong(10_000, after: .seconds(16))
        #expect(span.limit == 5_000)
        span.tookTooLong(5_000, after: .seconds(16))
        #expect(span.limit == 2_500)
        // Batches without time to spare, or with fewer items than the span, prove nothing.
        span.wrote(2_500, in: .seconds(3))
        span.wrote(100, in: .milliseconds(9))
        #expect(span.limit == 2_500)
        span.wrote(2_500, in: .seconds(1))
        #expect(span.limit == 5_000)
    }

    @Test("a single item is never halved")
    func single() {
        var span = BatchSpan()
        span.tookTooLong(1, after: .seconds(16))
        #expect(span.limit == 1)
    }
}
