import HTTPTypes
import Synchronization
import Testing

@testable import LandfallServer

/// Values that take long to read.
@Suite(.timeLimit(.minutes(40))) struct RecentTests {
    private struct Broken: Error {}

    /// Readings that last until they are told to end.
    private final class Slow: Sendable {
        let count = Atomic(0)
        private let (gate, opener) = AsyncStream<Void>.makeStream()

        func read() async -> Int {
            let number = count.add(1, ordering: .relaxed).newValue
            for await _ in gate { break }
            return number
        }

        func end() { opener.yield() }
    }

    @Test("all who ask meanwhile wait for the same reading")
    func shared() async throws {
        let recent = Recent<Int>(
            capacity: 10, timing: .init(first: .seconds(30), kept: .seconds(60) ... .seconds(60)))
        let slow = Slow()
        let answers = try await withThrowingTaskGroup(of: Recent<Int>.Answer.self) { group in
            for _ in 0..<20 { group.addTask { try await recent.answer("a") { await slow.read() } } }
            while slow.count.load(ordering: .relaxed) == 0 { await Task.yield() }
            slow.end()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(slow.count.load(ordering: .relaxed) == 1)
        #expect(answers == Array(repeating: .latest(1), count: 20))
        let other = try await recent.answer("b") { 3 }
        #expect(other == .latest(3))
    }

    @Test("a page gets no value while the first is read, and the one from before while the next is")
    func earlier() async throws {
        let recent = Recent<Int>(
            capacity: 10,
            timing: .init(
                first: .milliseconds(20), again: .milliseconds(20), kept: .zero ... .milliseconds(50)))
        let slow = Slow()
        let first = try await recent.answer("a") { await slow.read() }
        #expect(first == .reading)
        slow.end()
        // The second reading begins once the first value is no longer kept, and does not end.
        var next = first
        while next != .earlier(1) {
            next = try await recent.answer("a") { await slow.read() }
            #expect([.reading, .latest(1), .earlier(1)].contains(next))
        }
        slow.end()
        while next.value != 2 { next = try await recent.answer("a") { await slow.read() } }
    }

    @Test("a failure is everyone's who asks, and is not kept for long")
    func failure() async throws {
        let recent = Recent<Int>(
            capacity: 10, timing: .init(first: .seconds(30), kept: .seconds(1) ... .seconds(60)))
        await #expect(throws: Broken.self) { _ = try await recent.answer("a") { throw Broken() } }
        while true {
            do {
                let later = try await recent.answer("a") { 1 }
                #expect(later == .latest(1))
                return
            } catch is Broken { try await Task.sleep(for: .milliseconds(100)) }
        }
    }

    @Test("that a value took too long is kept, so that it does not hold up others all the time")
    func tooLong() async throws {
        let recent = Recent<Int>(
            capacity: 10, timing: .init(first: .seconds(30), kept: .zero ... .seconds(60)))
        let late = Problem(.gatewayTimeout, "report_timeout", "too late")
        await #expect(throws: Problem.self) {
            _ = try await recent.answer("a") {
                try await Task.sleep(for: .seconds(3))
                throw late
            }
        }
        // For half a minute.
        await #expect(throws: Problem.self) { _ = try await recent.answer("a") { 1 } }
        await #expect(throws: Broken.self) { _ = try await recent.answer("b") { throw Broken() } }
        #expect(try await recent.answer("b") { 1 } == .latest(1))
    }
}

extension Recent.Answer {
    fileprivate static func latest(_ value: Value) -> Self { Self(value: value) }
    fileprivate static func earlier(_ value: Value) -> Self { Self(value: value, counting: .again) }
    fileprivate static var reading: Self { Self(counting: .first) }
}
