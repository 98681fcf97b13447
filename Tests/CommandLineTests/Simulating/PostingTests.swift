import Foundation
import Simulation
import Testing

@testable import Dashboards

@Suite("Posting traffic")
struct PostingTests {
    @Test("leaves nothing out when it cuts traffic into quarter hours")
    func slices() {
        let traffic = SimulatedDay.traffic
        let slices = traffic.slices
        #expect(slices.flatMap(\.registrations) == traffic.registrations)
        #expect(slices.flatMap(\.events) == traffic.events)
        #expect(slices.count > 24)
        #expect(slices.allSatisfy { !$0.registrations.isEmpty || !$0.events.isEmpty })
    }

    @Test("cuts events into arrays and lines of all sizes, in turn", arguments: [0, 1, 2, 3])
    func posts(first: Int) throws {
        let events = SimulatedDay.traffic.events
        let posts = EventPost.posts(of: events, first: first)
        #expect(posts.reduce(0) { $0 + $1.itemCount } == events.count)
        for (earlier, later) in zip(posts, posts.dropFirst()) { #expect(earlier.form != later.form) }
        for post in posts { #expect(try count(of: post) == post.itemCount) }
        #expect(EventPost.posts(of: [], first: first).isEmpty)
    }

    private func count(of post: EventPost) throws -> Int {
        let body = Data(post.body)
        switch post.form {
        case .array: return (try JSONSerialization.jsonObject(with: body) as? [Any])?.count ?? 0
        case .lines: return body.split(separator: UInt8(ascii: "\n")).count
        }
    }

    @Test(
        "accepts 2xx, repeats what may succeed later, and stops at the rest",
        arguments: [
            (200, "taken"), (204, "taken"), (408, "putOff"), (429, "putOff"), (500, "putOff"),
            (503, "putOff"),
            (301, "refused"), (400, "refused"), (401, "refused"), (413, "refused"), (422, "refused"),
        ])
    func responses(status: Int, expected: String) {
        let kind =
            switch ServerResponse(status: status, retryAfter: nil, body: []) {
            case .taken: "taken"
            case .putOff: "putOff"
            case .rejected: "refused"
            }
        #expect(kind == expected)
    }

    @Test("reads the server's message and how long to wait")
    func problem() {
        let body = Array(#"{"status":503,"code":"overloaded","detail":"too much is queued"}"#.utf8)
        let words = "status 503, too much is queued (overloaded)"
        #expect(
            ServerResponse(status: 503, retryAfter: "2", body: body)
                == .putOff(status: 503, reason: words, retryAfter: .seconds(2)))
        #expect(
            ServerResponse(status: 503, retryAfter: "Sun, 01 Mar 2026 00:00:00 GMT", body: [])
                == .putOff(status: 503, reason: "status 503", retryAfter: nil))
    }

    @Test("adds up what the server counted, and why it rejected items")
    func receivedCounts() throws {
        let response =
            #"{"accepted":2,"duplicates":1,"rejected":2,"errors":[{"index":3,"code":"too_old","detail":"x"},"#
            + #"{"index":4,"code":"too_old","detail":"x"}]}"#
        var total = ReceivedCounts()
        for _ in 0..<2 { total += try ReceivedCounts(response: Array(response.utf8)) }
        #expect(total.received == 10)
        #expect((total.accepted, total.duplicates, total.rejected) == (4, 2, 4))
        #expect(total.rejections == ["too_old": 4])
        let problem = CommandProblem.rejectedItems(["bad_token": 1, "too_old": 1_204, "bad_id": 1])
        #expect(problem.description.contains("1,206 events"))
        #expect(problem.description.hasSuffix(": 1,204 too_old, 1 bad_id, 1 bad_token"))
        #expect(throws: (any Error).self) { try ReceivedCounts(response: Array("<html>".utf8)) }
    }
}

@Suite("Repeating a request")
struct RepetitionTests {
    private let now = ContinuousClock.now

    @Test("waits longer each time, up to 5 seconds, half of it random")
    func growth() {
        var shortest = Repetition(patience: .seconds(3_600), now: now)
        var longest = shortest
        let pauses = (0..<8).map { _ in
            (
                shortest.pause(retryAfter: nil, now: now, chance: 0) ?? .zero,
                longest.pause(retryAfter: nil, now: now, chance: 1) ?? .zero
            )
        }
        #expect(
            pauses.map(\.1) == [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000].map { .milliseconds($0) })
        #expect(pauses.allSatisfy { $0.0 * 2 == $0.1 })
    }

    @Test("never comes back before the server asked for it")
    func retryAfter() {
        var repetition = Repetition(patience: .seconds(60), now: now)
        let pause = repetition.pause(retryAfter: .seconds(3), now: now, chance: 0)
        #expect(pause == .seconds(3))
    }

    @Test("ends when its patience ends")
    func end() {
        var repetition = Repetition(patience: .seconds(10), now: now)
        #expect(repetition.pause(retryAfter: nil, now: now + .seconds(9), chance: 1) != nil)
        #expect(repetition.pause(retryAfter: nil, now: now + .seconds(10), chance: 1) == nil)
        #expect(repetition.pause(retryAfter: .seconds(11), now: now, chance: 0) == nil)
    }
}
