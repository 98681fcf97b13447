import ReferenceModel
import Testing

@Suite("Estimated arrivals")
struct EstimateModelTests {
    /// The same seeds give the same days, so the result is always the same; for 95 % intervals, 8 of 10 is no
    /// surprise.
    @Test(
        "of simulated days have intervals that contain the simulated truth, which is more than was reported")
    func days() {
        let trials = (1...10).map { EstimateTrial.play(seed: $0, installations: 300) }
        #expect(trials.allSatisfy { $0.estimated != nil })
        #expect(trials.count(where: \.containsTruth) >= 8)
        #expect(trials.allSatisfy { $0.reported < $0.truth && $0.truth < 1 })
    }
}
