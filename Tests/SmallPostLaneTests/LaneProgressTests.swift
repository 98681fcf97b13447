import NIOCore
import NIOHTTP1
import Testing

@testable import SmallPostLane

/// Posts are numbers here: the progress of a connection needs nothing else of them.
@Suite("The progress of a lane") struct LaneProgressTests {
    /// `#expect` cannot call what changes a value.
    private final class Lane {
        private var progress = LaneProgress<Int>()

        func with<Result>(_ change: (inout LaneProgress<Int>) -> Result) -> Result { change(&progress) }
    }

    private let lane = Lane()
    private let head = HTTPServerRequestPart.head(
        HTTPRequestHead(version: .http1_1, method: .POST, uri: "/v1/events"))
    private let body = HTTPServerRequestPart.body(ByteBuffer(string: "{}"))
    private let end = HTTPServerRequestPart.end(nil)

    /// The name of the step, and its post.
    private func name(_ step: LaneProgress<Int>.Step) -> String {
        switch step {
        case .wait: "wait"
        case .offer: "offer"
        case .append(_, let post): "append \(post)"
        case .record(let post): "record \(post)"
        case .route: "route"
        }
    }

    private func receive(_ part: HTTPServerRequestPart) -> String {
        name(lane.with { $0.received(part) })
    }

    @Test("a post is offered, read and recorded; what comes after it is held until its response")
    func post() {
        #expect(receive(head) == "offer")
        lane.with { $0.accepted(7) }
        #expect(receive(body) == "append 7")
        #expect(receive(end) == "record 7")
        #expect(receive(head) == "wait")
        #expect(!lane.with { $0.shouldRead() })
        #expect(lane.with { $0.recording } == 7)
        lane.with { $0.responded() }
        #expect(lane.with { $0.recording } == nil)
        #expect(lane.with { $0.beginRelease() })
        guard case .part(let next) = lane.with({ $0.nextHeld() }) else {
            Issue.record("the next request was lost")
            return
        }
        #expect(receive(next) == "offer")
        #expect(lane.with { $0.nextHeld() } == nil)
        #expect(lane.with { $0.released().isReadHeld })
    }

    @Test("no request is offered while the router handles one")
    func routed() {
        #expect(receive(head) == "offer")
        lane.with { $0.routed() }
        #expect(receive(end) == "route")
        #expect(receive(head) == "route")
        for _ in 1...2 { _ = lane.with { $0.wrote(.end(nil)) } }
        #expect(receive(head) == "offer")
    }

    @Test("a close waits for the post being read and for its response")
    func close() {
        #expect(lane.with { $0.shouldClose((.all, nil)) })
        _ = receive(head)
        lane.with { $0.accepted(1) }
        #expect(!lane.with { $0.shouldClose((.all, nil)) })
        #expect(lane.with { $0.shouldClose((.input, nil)) })
        _ = receive(end)
        #expect(lane.with { $0.released().closes }.isEmpty)
        lane.with { $0.responded() }
        #expect(lane.with { $0.released().closes }.count == 1)
        #expect(lane.with { $0.ended().isEmpty })
    }

    @Test("a response of another handler to the post being read ends the lane")
    func givenUp() {
        _ = receive(head)
        lane.with { $0.accepted(3) }
        #expect(!lane.with { $0.shouldClose((.all, nil)) })
        let givenUp = lane.with {
            $0.wrote(.head(HTTPResponseHead(version: .http1_1, status: .requestTimeout)))
        }
        #expect(givenUp?.post == 3 && givenUp?.closes.count == 1)
        #expect(receive(body) == "route")
    }

    @Test("nothing is offered while the client does not read responses")
    func unwritable() {
        lane.with { $0.changed(isWritable: false) }
        #expect(receive(head) == "wait")
        #expect(!lane.with { $0.beginRelease() })
        lane.with { $0.changed(isWritable: true) }
        #expect(lane.with { $0.beginRelease() })
    }
}
