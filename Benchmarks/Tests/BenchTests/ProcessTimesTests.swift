import Foundation
import Testing

@testable import landfall_bench

@Suite("The processor time of a process") struct ProcessTimesTests {
    @Test("is read after the name, which may contain anything")
    func stat() throws {
        let times = try #require(
            ProcessTimes("42 (post) gres) S 17 42 42 0 -1 4194304 101 0 0 0 300 20 5 1 20 0 1 0 2800527\n"))
        #expect(times.parent == 17)
        #expect(times.ticks == 320)
        #expect(times.ticksOfEnded == 6)
    }

    @Test(
        "is not read from any other text",
        arguments: ["", "42", "42 (a) S 17", "42 (a) S x 1 2 3 4 5 6 7 8 9 10 11 12 13"])
    func otherwise(_ text: String) {
        #expect(ProcessTimes(text) == nil)
    }

    #if os(Linux)
        @Test("is reported of this process")
        func thisProcess() {
            #expect(ProcessTimes(of: getpid())?.parent == getppid())
        }
    #endif
}
