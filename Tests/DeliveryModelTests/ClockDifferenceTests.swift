import DeliveryModel
import Testing

@Suite struct ClockDifferenceTests {
    private let clock = Instant(millisecondsSinceEpoch: 1_790_000_000_000)

    @Test(
        "only what the duration of the request cannot explain is a difference",
        arguments: [
            (0, 5, nil), (-60_000, -59_000, nil), (60_000, 61_000, nil), (-100_000, 5, nil),
            (61_000, 62_000, 61), (-90_000, -61_000, -61), (51_840_000_000, 51_840_000_200, 51_840_000),
        ] as [(Int64, Int64, Int64?)])
    func difference(asked: Int64, responded: Int64, seconds: Int64?) {
        let difference = ClockDifference(
            asked: clock + Span(milliseconds: asked), responded: clock + Span(milliseconds: responded),
            clock: clock)
        #expect(difference?.seconds == seconds)
    }

    @Test("a corrected clock agrees to the second")
    func corrected() throws {
        let ahead = clock + .days(600)
        let difference = try #require(ClockDifference(asked: ahead, responded: ahead, clock: clock))
        #expect(difference.corrected(ahead) == clock)
    }
}
