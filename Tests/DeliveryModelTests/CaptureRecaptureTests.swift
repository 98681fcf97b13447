import Basics
import Testing

@testable import DeliveryModel

@Suite("Capture and recapture")
struct CaptureRecaptureTests {
    /// The turtles of encyclopedias: 10 marked, 15 caught later, 5 of them marked. Chapman's estimate is 28,
    /// the interval 22 to 65 (21.94 to 64.67, here rounded outward to whole numbers).
    @Test("is Chapman's estimate with Sadinle's interval, as in the textbook example")
    func textbook() throws {
        let turtles = try #require(CaptureRecapture(first: 10, second: 15, recaptured: 5))
        #expect(abs(turtles.estimate - 28.333_333) < 0.000_001)
        #expect(turtles.interval == 21...65)
        #expect(turtles.seen == 20)
    }

    @Test("knows the total if everything in the second sample was also in the first")
    func nothingLost() throws {
        let sightings = try #require(CaptureRecapture(first: 900, second: 60, recaptured: 60))
        #expect(sightings.estimate == 900)
        #expect(sightings.interval.lowerBound == 900)
        #expect(sightings.interval.upperBound > 900)
    }

    @Test("never estimates fewer than were seen, and is within its interval")
    func bounds() throws {
        for first: Int64 in [0, 1, 30, 1_000, 1_000_000_000] {
            for second in Set([0, 1, first / 50, first]) {
                for recaptured in Set([0, min(first, second) / 2, min(first, second)]) {
                    let sightings = try #require(
                        CaptureRecapture(first: first, second: second, recaptured: recaptured))
                    #expect(sightings.estimate >= Double(sightings.seen))
                    #expect(sightings.interval.lowerBound >= Double(sightings.seen))
                    #expect(sightings.interval.contains(sightings.estimate))
                }
            }
        }
    }

    @Test("is `nil` for numbers that contradict each other")
    func contradiction() {
        #expect(CaptureRecapture(first: 3, second: 5, recaptured: 4) == nil)
        #expect(CaptureRecapture(first: 3, second: 5, recaptured: -1) == nil)
    }

    /// The draws are always the same, so the bound cannot be missed by chance.
    @Test(
        "has intervals that contain the truth nearly as often as they promise",
        arguments: [(0.92, 0.15, 1_000), (0.8, 0.2, 400), (0.6, 0.3, 300)])
    func coverage(reported: Double, reacted: Double, there: Int) throws {
        var random = SeededRandom(seed: 7)
        var containing = 0
        for _ in 0..<200 {
            var (first, second, both) = (Int64(0), Int64(0), Int64(0))
            for _ in 0..<there {
                let isReported = random.unit() < reported
                let isReacted = random.unit() < reacted
                first += isReported ? 1 : 0
                second += isReacted ? 1 : 0
                both += isReported && isReacted ? 1 : 0
            }
            let sightings = try #require(CaptureRecapture(first: first, second: second, recaptured: both))
            if sightings.interval.contains(Double(there)) { containing += 1 }
        }
        #expect(containing >= 184)
    }
}
