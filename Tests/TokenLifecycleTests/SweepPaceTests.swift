import Testing

@testable import TokenLifecycle

@Suite struct SweepPaceTests {
    private let work = Duration.milliseconds(10)

    @Test("alone, a sweep takes large batches and no rest")
    func alone() {
        var pace = SweepPace()
        for _ in 0..<50 {
            #expect(pace.batchSize == 200)
            #expect(pace.rest(after: work, othersWork: false) == .zero)
        }
    }

    @Test(
        "alongside others it takes small batches and rests, and continues so for a while after they were last seen working"
    )
    func besideOthers() {
        var pace = SweepPace()
        #expect(pace.rest(after: work, othersWork: true) == .milliseconds(30))
        for _ in 0..<19 {
            #expect(pace.batchSize == 50)
            #expect(pace.rest(after: work, othersWork: false) == .milliseconds(30))
        }
        #expect(pace.batchSize == 50)
        #expect(pace.rest(after: work, othersWork: false) == .zero)
        #expect(pace.batchSize == 200)
    }

    @Test("a batch that took long is no reason to rest for minutes")
    func longRest() {
        var pace = SweepPace()
        #expect(pace.rest(after: .seconds(60), othersWork: true) == .milliseconds(500))
    }
}
