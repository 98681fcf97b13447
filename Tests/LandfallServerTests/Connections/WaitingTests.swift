import NIOCore
import Testing

@testable import LandfallServer

/// Which connections may give way: `RequestProgress.waitingSince`.
@Suite struct WaitingTests {
    private func second(_ number: UInt64) -> NIODeadline { .uptimeNanoseconds(number * 1_000_000_000) }

    @Test("a connection waits from the start, and from the end of each response")
    func idle() {
        var progress = RequestProgress(ServerConfiguration.Limits())
        progress.connected(at: second(1))
        #expect(progress.waitingSince == second(1))
        _ = progress.bytesArrived(100, at: second(2))
        _ = progress.headArrived(contentLength: 0, isPacked: false)
        #expect(progress.waitingSince == nil)
        progress.requestEnded()
        #expect(progress.waitingSince == nil)
        progress.responseBegan()
        #expect(progress.waitingSince == nil)
        progress.responseEnded(at: second(3))
        #expect(progress.waitingSince == second(3))
    }

    @Test("with half a head it still waits, since its first byte")
    func halfHead() {
        var progress = RequestProgress(ServerConfiguration.Limits())
        progress.connected(at: second(1))
        for instant in UInt64(5)...9 {
            _ = progress.bytesArrived(1, at: second(instant))
            #expect(progress.waitingSince == second(5))
        }
    }

    @Test("a client that does not read its response does not wait")
    func stuck() {
        var progress = RequestProgress(ServerConfiguration.Limits())
        progress.connected(at: second(1))
        progress.writabilityChanged(false, at: second(2))
        #expect(progress.waitingSince == nil)
        progress.writabilityChanged(true, at: second(3))
        #expect(progress.waitingSince == second(1))
    }
}
