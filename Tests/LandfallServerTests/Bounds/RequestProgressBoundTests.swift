import NIOCore
import Testing

@testable import LandfallServer

@Suite struct RequestProgressBoundTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000)
    private var progress: RequestProgress {
        var limits = ServerConfiguration.Limits()
        limits.requestTimeout = .seconds(30)
        limits.idleTimeout = .seconds(60)
        limits.bodyBytes = 100
        var progress = RequestProgress(limits)
        progress.connected(at: start)
        return progress
    }

    @Test("time runs from the first byte of a request to the end of its body, and not in between")
    func time() {
        var progress = progress
        #expect(progress.lateness(at: start) == .notBefore(start + .seconds(30)))
        _ = progress.bytesArrived(1, at: start)
        #expect(progress.lateness(at: start + .seconds(29)) == .notBefore(start + .seconds(30)))
        #expect(progress.lateness(at: start + .seconds(30)) == .requestOverdue)
        _ = progress.headArrived(contentLength: 2, isPacked: false)
        #expect(progress.lateness(at: start + .seconds(30)) == .requestOverdue)
        progress.requestEnded()
        #expect(progress.lateness(at: start + .seconds(99)) == .notBefore(start + .seconds(129)))
    }

    @Test("a connection may be idle between requests for a while, counted from the last response")
    func idle() {
        var progress = progress
        #expect(progress.lateness(at: start + .seconds(59)) == .notBefore(start + .seconds(60)))
        #expect(progress.lateness(at: start + .seconds(60)) == .idle)
        _ = progress.bytesArrived(9, at: start + .seconds(59))
        _ = progress.headArrived(contentLength: nil, isPacked: false)
        progress.requestEnded()
        // The time to produce the response does not count.
        #expect(progress.lateness(at: start + .seconds(600)) == .notBefore(start + .seconds(630)))
        progress.responseBegan()
        progress.responseEnded(at: start + .seconds(600))
        #expect(progress.lateness(at: start + .seconds(659)) == .notBefore(start + .seconds(660)))
        #expect(progress.lateness(at: start + .seconds(660)) == .idle)
    }

    @Test("a request that waits for another has its time once that one has its response")
    func behindAnother() {
        var progress = progress
        _ = progress.bytesArrived(9, at: start)
        _ = progress.headArrived(contentLength: nil, isPacked: false)
        progress.requestEnded()
        _ = progress.headArrived(contentLength: 2, isPacked: false)
        #expect(progress.isBehindOthers)
        #expect(progress.mayRespond == false)
        let late = start + .seconds(500)
        #expect(progress.lateness(at: late) == .notBefore(late + .seconds(30)))
        progress.responseBegan()
        progress.responseEnded(at: late)
        #expect(progress.isBehindOthers == false)
        #expect(progress.mayRespond)
        #expect(progress.lateness(at: late) == .notBefore(late + .seconds(30)))
        #expect(progress.lateness(at: late + .seconds(30)) == .requestOverdue)
    }

    @Test("a request held back until another's response was sent has its time from then on")
    func heldBack() {
        var progress = progress
        _ = progress.bytesArrived(9, at: start)
        _ = progress.headArrived(contentLength: 2, isPacked: false)
        progress.requestEnded()
        let late = start + .seconds(500)
        progress.responseBegan()
        progress.responseEnded(at: late)
        _ = progress.headArrived(contentLength: 2, isPacked: false)
        #expect(progress.lateness(at: late + .seconds(29)) == .notBefore(late + .seconds(30)))
        #expect(progress.lateness(at: late + .seconds(30)) == .requestOverdue)
    }

    @Test("a request with a response before its body ended gets no second one")
    func respondedEarly() {
        var progress = progress
        _ = progress.bytesArrived(9, at: start)
        _ = progress.headArrived(contentLength: nil, isPacked: false)
        #expect(progress.awaitsBody)
        progress.responseBegan()
        #expect(progress.mayRespond == false)
        progress.responseEnded(at: start)
        #expect(progress.mayRespond == false)
        #expect(progress.isBehindOthers == false)
        #expect(progress.bodyArrived(101)?.code == "body_too_large")
    }

    @Test("each request has the full limits, and one byte more is too much")
    func bytes() {
        var progress = progress
        for _ in 0..<3 {
            #expect(progress.bytesArrived(65_000, at: start) == nil)
            #expect(progress.headArrived(contentLength: 100, isPacked: false) == nil)
            #expect(progress.bodyArrived(60) == nil)
            #expect(progress.bodyArrived(40) == nil)
            progress.requestEnded()
        }
        #expect(progress.headArrived(contentLength: 101, isPacked: false)?.code == "body_too_large")
        #expect(progress.headArrived(contentLength: 101, isPacked: true) == nil)
        #expect(progress.bytesArrived(70_000, at: start)?.code == "body_too_large")
    }

    @Test("a client that reads nothing is stuck, unless it reads something in time")
    func stuck() {
        var progress = progress
        progress.writabilityChanged(false, at: start)
        #expect(progress.lateness(at: start + .seconds(20)) == .notBefore(start + .seconds(30)))
        #expect(progress.lateness(at: start + .seconds(30)) == .clientStuck)
        progress.writabilityChanged(true, at: start + .seconds(20))
        #expect(progress.lateness(at: start + .seconds(59)) == .notBefore(start + .seconds(60)))
    }
}
