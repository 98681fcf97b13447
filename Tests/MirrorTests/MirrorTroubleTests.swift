import Foundation
import Synchronization
import TestDatabase
import Testing

@testable import Mirror

/// Troubles on the way, and servers that are not the ones they were.
@Suite(.database) struct MirrorTroubleTests {
    /// Ends a mirror as a kill does, before or after a page is applied.
    private final class DyingTarget: MirrorTarget {
        struct Killed: Error {}

        private let target: any MirrorTarget
        private let life: Int
        private var pages = 0

        init(_ target: any MirrorTarget, life: Int) {
            self.target = target
            self.life = life
        }

        func position() throws -> MirrorPosition? { try target.position() }
        func hasTokens(of app: String) throws -> Bool { try target.hasTokens(of: app) }

        func apply(_ batch: MirrorBatch, _ position: MirrorPosition) throws {
            pages += 1
            if pages == life, life.isMultiple(of: 2) { throw Killed() }
            try target.apply(batch, position)
            if pages == life { throw Killed() }
        }
    }

    @Test("a mirror that dies again and again loses and repeats nothing", arguments: DatabaseKind.allCases)
    func dying(kind: DatabaseKind) async throws {
        try await SenderTable.run(kind) { table in
            let feeds = FakeFeeds()
            feeds.change { state in
                for id in 1...9 { state.register(Int64(id)) }
                state.meanwhile = { state in
                    let number = Int64(state.requests.count)
                    guard number < 60 else { return }
                    switch number % 4 {
                    case 0: state.register(9 + number)
                    case 1: state.move(number % 9 + 1, to: "suspect")
                    case 2: state.erase(number % 9 + 1)
                    default: state.move(number % 5 + 1, to: "retired")
                    }
                }
            }
            var (runs, deaths) = (0, 0)
            while true {
                let life = runs % 3 + 1
                runs += 1
                do {
                    try await table.mirror(feeds) { DyingTarget(try table.open(), life: life) }
                    // Otherwise more changes follow.
                    if feeds.requests.count >= 60 { break }
                } catch is DyingTarget.Killed {
                    deaths += 1
                } catch MirrorError.taken {
                    // The lock goes with the dead mirror's memory, which may take a moment here.
                    try await Task.sleep(for: .milliseconds(5))
                }
            }
            #expect(deaths >= 10)
            #expect(try await table.rows() == feeds.rows)
        }
    }

    @Test("a server that fails is asked again, and a trouble is logged once", arguments: [0, 429, 500, 503])
    func faults(fault: Int) async throws {
        try await SenderTable.run(.sqlite) { table in
            let feeds = FakeFeeds()
            feeds.change { state in
                for id in 1...3 { state.register(Int64(id)) }
                state.faults = [fault, fault, fault]
            }
            let run = try await table.follow(feeds, pauses: 4)
            #expect(try await table.rows() == feeds.rows)
            #expect(run.lines.count == 3)
            #expect(run.lines.first?.hasSuffix("Trying again until it works.") == true)
            #expect(run.lines.dropFirst().first?.hasPrefix("It works again") == true)
            #expect(run.lines.last == "device_tokens is in step with app shop, and is kept so from now on.")
            // The server asks for 7 s.
            #expect(fault == 0 || run.pauses.prefix(3).allSatisfy { $0 >= .seconds(7) })
        }
    }

    @Test("pauses grow to a minute, and the patience of --once ends")
    func patience() {
        let start = ContinuousClock.now
        var troubles = Troubles(patience: nil)
        let trouble = MirrorTrouble(reason: "away")
        let pauses = (0..<10).compactMap { _ in troubles.pause(after: trouble, now: start, chance: 1) }
        #expect(pauses.map(\.duration.components.seconds) == [1, 2, 4, 8, 16, 32, 60, 60, 60, 60])
        #expect(pauses.map(\.isNew) == [true] + Array(repeating: false, count: 9))
        #expect(troubles.end(now: start + .seconds(90)) == .seconds(90))
        #expect(troubles.end(now: start) == nil)
        var impatient = Troubles(patience: .seconds(60))
        #expect(impatient.pause(after: trouble, now: start, chance: 0) != nil)
        #expect(impatient.pause(after: trouble, now: start + .seconds(59), chance: 1) == nil)
    }

    @Test("the server waits for changes only once the table is in step")
    func waits() async throws {
        try await SenderTable.run(.sqlite) { table in
            let feeds = FakeFeeds()
            feeds.change { state in
                for id in 1...3 { state.register(Int64(id)) }
            }
            let run = try await table.follow(feeds, pauses: 4)
            let first = feeds.requests.firstIndex { $0.contains("wait=30") }
            #expect(first == 3)
            #expect(feeds.requests.count { $0.contains("wait=30") } == 3)
            #expect(run.pauses == Array(repeating: .seconds(1), count: 4))
        }
    }

    @Test("in an app that never rests, a page that is not full is in step: --once ends, and others pause")
    func busy() async throws {
        try await SenderTable.run(.sqlite) { table in
            let feeds = FakeFeeds()
            feeds.change { state in
                for id in 1...3 { state.register(Int64(id)) }
                state.meanwhile = { state in
                    // A full page first, also if some of its rows are left out.
                    if state.requests.count == 2 {
                        for id in 4...8 { state.register(Int64(id)) }
                        state.hidden = [50]
                    }
                    state.move(1, to: state.requests.count.isMultiple(of: 2) ? "suspect" : "active")
                    // The test fails instead of running forever.
                    if state.requests.count > 100 { state.faults = [401] }
                }
            }
            let first = try await table.mirror(feeds)
            #expect(first.tokens == 3 && first.changes > 5)
            #expect(try await table.rows() == feeds.rows)
            let asked = feeds.requests.count
            let run = try await table.follow(feeds, pauses: 3)
            #expect(run.pauses == Array(repeating: .seconds(1), count: 3))
            #expect(feeds.requests.count == asked + 3)
        }
    }

    @Test("a key that the server does not accept ends the mirror", arguments: [401, 403, 404, 422, 302])
    func rejected(status: Int) async throws {
        try await SenderTable.run(.sqlite) { table in
            let feeds = FakeFeeds()
            feeds.change { $0.faults = [status] }
            let error = await #expect(throws: MirrorError.self) { try await table.mirror(feeds) }
            #expect(error?.description.contains("http://feeds.test") == true)
            #expect(feeds.requests.count == 1)
        }
    }

    @Test(
        "a server that was restored is noticed, and --refill reads all again",
        arguments: DatabaseKind.allCases)
    func restored(kind: DatabaseKind) async throws {
        try await SenderTable.run(kind) { table in
            let feeds = FakeFeeds()
            feeds.change { state in
                for id in 1...3 { state.register(Int64(id)) }
            }
            let backup = feeds.state.withLock { ($0.tokens, $0.ledger) }
            try await table.mirror(feeds)
            feeds.change { state in
                for id in 4...8 { state.register(Int64(id)) }
            }
            try await table.mirror(feeds)
            let rows = feeds.rows
            feeds.change { ($0.tokens, $0.ledger) = backup }
            // First the position is beyond the newest row, then another row has its number.
            for next in 4...10 {
                let error = await #expect(throws: MirrorError.self) { try await table.mirror(feeds) }
                guard case .refused(let reason) = error else { throw Require.Missing() }
                #expect(reason.contains("--refill"))
                #expect(try await table.rows() == rows)
                feeds.change { state in state.move(Int64(next % 3 + 1), to: "suspect") }
            }
            try await table.mirror(feeds, refills: true)
            #expect(try await table.rows() == feeds.rows)
            try await table.mirror(feeds)
        }
    }

    @Test(
        "a server that was restored after all tokens were read, or meanwhile, is noticed",
        arguments: DatabaseKind.allCases, [1, 2, 3])
    func restoredEarly(kind: DatabaseKind, requests: Int) async throws {
        try await SenderTable.run(kind) { table in
            let feeds = FakeFeeds()
            feeds.change { state in
                for id in 1...3 { state.register(Int64(id)) }
                let backup = (state.tokens, state.ledger)
                state.register(4)
                state.meanwhile = { state in
                    guard state.requests.count == requests else { return }
                    // Other rows take the numbers of those that were lost.
                    (state.tokens, state.ledger) = backup
                    state.move(1, to: "retired")
                    state.move(2, to: "retired")
                }
            }
            let error = await #expect(throws: MirrorError.self) {
                for _ in 1...2 { try await table.mirror(feeds) }
            }
            guard case .refused(let reason) = error else { throw Require.Missing() }
            #expect(reason.contains("--refill"))
            try await table.mirror(feeds, refills: true)
            #expect(try await table.rows() == feeds.rows)
        }
    }

    @Test("rows that no page shows do not make a server look like another one")
    func hidden() async throws {
        try await SenderTable.run(.sqlite) { table in
            let feeds = FakeFeeds()
            try await table.mirror(feeds)
            feeds.change { state in
                for id in 1...9 { state.register(Int64(id)) }
                state.hidden = [20, 30, 40, 50, 60, 70, 90]
                for id in [2, 3, 4, 5, 6, 7, 9] { state.tokens[Int64(id)]?.value = nil }
            }
            try await table.mirror(feeds)
            #expect(try await table.rows().map(\.tokenID) == [1, 8])
            try await table.mirror(feeds)
            feeds.change { $0.move(8, to: "stale") }
            try await table.mirror(feeds)
            #expect(try await table.rows() == feeds.rows)
        }
    }
}
