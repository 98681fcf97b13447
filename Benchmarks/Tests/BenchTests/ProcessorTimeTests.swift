import Testing

@testable import landfall_bench

@Suite struct ProcessorTimeTests {
    @Test("stolen time is a share of the total, without the times that are counted twice")
    func stolen() throws {
        let start = try #require(
            ProcessorTime("cpu  100 0 50 800 10 0 5 35 70 0\ncpu0 1 2 3 4 5 6 7 8 9 10\n"))
        let end = try #require(ProcessorTime("cpu  150 0 80 900 15 0 5 50 90 0\n"))
        #expect(end.stolenShare(since: start) == 0.075)
        #expect(start.stolenShare(since: start) == nil)
    }

    @Test(
        "is not read from any other text",
        arguments: ["", "cpu", "cpu  1 2 3", "cpu0 1 2 3 4 5 6 7 8", "intr 1 2 3 4 5 6 7 8 9"])
    func otherwise(_ text: String) {
        #expect(ProcessorTime(text) == nil)
    }
}
