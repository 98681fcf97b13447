import AppMove
import DeliveryModel
import FaultProxy
import Foundation
import Ingestion
import PostgresClient
import Synchronization
import TestDatabase
import Testing

/// Notifications that were sent three days ago are of a quiet day, which is copied while the app is served.
@Suite(
    "While an app's quiet days are copied", .databaseForLong, .oneCell("makes its own cells"),
    .timeLimit(.minutes(40)))
struct ServedMoveTests {
    /// Holds a move where it has copied the first day, until the test lets it go on.
    private final class Gate: Sendable {
        private struct State {
            var lines: [String] = []
            var (isReached, isOpen) = (false, false)
        }

        private let state = Mutex(State())

        var lines: [String] { state.withLock(\.lines) }

        func pass(_ line: String) {
            state.withLock { $0.lines.append(line) }
            guard line.contains("rows of delivery") else { return }
            state.withLock { $0.isReached = true }
            for _ in 0..<6_000 where !state.withLock(\.isOpen) { usleep(10_000) }
        }

        func reached() async throws {
            for _ in 0..<6_000 where !state.withLock(\.isReached) {
                try await Task.sleep(for: .milliseconds(10))
            }
        }

        func open() { state.withLock { $0.isOpen = true } }
    }

    private func name(ofDay day: Int, _ ground: MoveGround) -> String {
        "delivery \((ground.sentAt - .days(Int64(day))).rfc3339.prefix(10))"
    }

    private func rows(_ connection: PostgresConnection) throws -> [String] {
        try connection.query(
            SQLFile(
                name: "test/rows",
                text: """
                    SELECT (notification_id, sent_at, state, previous_state, arrived_after_ms, clicked_after_ms, sent_after_ms,
                            response_rank, rejected_at, arrived_version, reporters, token_id, installation_id)::text
                      FROM landfall.delivery WHERE app_id = 2 ORDER BY 1
                    """)
        ).column(0)
    }

    /// Begins a move, or goes on with it, as far as the app is served: a sweep does not let it be refused.
    ///
    /// - Returns: what was copied.
    private func served(_ ground: MoveGround) throws -> [String] {
        var lines: [String] = []
        try ground.connectToSource().withLock(.tokenRun, of: 2) { _ in
            do {
                try ground.move().apply { lines.append($0) }
                Issue.record("the app has moved during a sweep")
            } catch let taken as LockTaken {
                #expect(taken == LockTaken(.tokenRun))
            }
        }
        #expect(try ground.state(ground.connectToSource()) == "serving")
        return lines.filter { $0.hasPrefix("copied") }
    }

    @Test("what is written to them arrives, too", arguments: MoveGround.Place.allCases)
    func written(_ place: MoveGround.Place) async throws {
        try await MoveGround.run(place) { ground in
            try await ground.fill()
            let (source, target) = (try ground.connectToSource(), try ground.connectToTarget())
            let writer = try await ground.writer(of: ground.pools[0])
            let known = (0..<8).map { _ in UUID() }
            _ = try await writer.write(known.map { ground.response($0, day: 3, token: 1) })
            // A row that leads to another, as it is made and removed when a notification's date is known.
            let pointer = UUID()
            try await ground.source.execute(
                """
                INSERT INTO landfall.delivery (notification_id, sent_at, app_id, state, response_rank)
                VALUES ($1, $2, 2, 0, 99)
                """, [.value(pointer), .value(ground.sentAt - .days(3))])

            let gate = Gate()
            defer { gate.open() }
            let move = Task { try await blocking { try ground.move().apply { gate.pass($0) } } }
            try await gate.reached()
            for _ in 0..<2 {
                _ = try await writer.write([
                    ground.arrival(known[0], day: 3), ground.arrival(known[1], day: 3, kind: .click),
                    ground.response(known[2], day: 3, status: 410, token: 1),
                    ground.response(known[3], day: 3, token: 1), ground.response(known[4], day: 3, token: 4),
                    ground.response(UUID(), 1, day: 3, token: 1), ground.response(UUID(), day: 0, token: 1),
                ])
            }
            _ = try await writer.write([ground.response(UUID(), day: 3, token: 2)])
            try await ground.source.execute(
                "DELETE FROM landfall.delivery WHERE notification_id = $1", [.value(pointer)])
            try await ground.register(9, appID: 2)
            let expected = (try rows(source), try ground.contents(source))
            gate.open()
            try await move.value

            #expect(try rows(target) == expected.0)
            #expect(try ground.contents(target) == expected.1)
            let (day, other) = (name(ofDay: 3, ground), name(ofDay: 2, ground))
            // Copied: all, later the arrival, the click, the rejection and the new one.
            #expect(
                gate.lines.filter { $0.hasSuffix(day) } == [
                    "copied 9 rows of \(day)", "copied 4 rows of \(day)",
                ])
            #expect(gate.lines.count { $0.hasSuffix(other) } == 1)
            #expect(
                !gate.lines.contains { $0.hasPrefix("recounting cell 3") && $0.hasSuffix(other.suffix(10)) })
            let noted = try await ground.source.query(
                "SELECT app_id, count(DISTINCT notification_id) FROM landfall.app_move_change GROUP BY app_id"
            ) { [try $0.get(0, as: Int64.self), try $0.get(1, as: Int64.self)] }
            #expect(noted == [[2, 5]])
            try await ground.verify()

            try ground.move().confirm()
            #expect(try ground.notedDays(source) == 0)
            #expect(try ground.counts(source)["app_move_change"] == nil)
            #expect(try rows(target) == expected.0)
            try await ground.verify()
        }
    }

    @Test("a call that broke off is gone on with, unless a day was packed or PostgreSQL was restarted")
    func resumed() async throws {
        try await MoveGround.run { ground in
            try await ground.fill()
            let (source, target) = (try ground.connectToSource(), try ground.connectToTarget())
            let writer = try await ground.writer(of: ground.pools[0])
            let known = (0..<8).map { _ in UUID() }
            _ = try await writer.write(known.map { ground.response($0, day: 3, token: 1) })
            let whole = "copied 8 rows of \(name(ofDay: 3, ground))"
            let (first, again) = (try served(ground), try served(ground))
            #expect(first.count >= 2 && first.contains(whole))
            #expect(again == [])

            // The source goes on, and the target takes no notice of what is not an app yet.
            #expect(try ground.state(target) == "copying")
            #expect(throws: AppMoveError.inProgress(cell: 3)) { try ground.move().plan() }
            let day = ground.sentAt - .days(3)
            for connection in [source, target] {
                #expect(throws: PostgresError.self) {
                    _ = try connection.query(.Maintenance.closePartition, [.value(day)])
                }
            }
            _ = try await writer.write([ground.arrival(known[0], day: 3)])
            let late = try await ground.writer(of: ground.pools[1])
            await #expect(throws: (any Error).self) {
                _ = try await late.write([ground.response(UUID(), day: 0, token: 1)])
            }
            try await ground.verify()
            #expect(try served(ground) == [])

            // A packed day has no trigger.
            for _ in 0..<4 {
                let step: String = try source.query(.Maintenance.packPartition, [.value(day)]).single().get(
                    "step")
                if step == "packed" { break }
            }
            _ = try await writer.write([ground.arrival(known[1], day: 3)])
            #expect(try served(ground) == [whole])

            try await ground.source.execute("UPDATE landfall.app_move SET origin = ''")
            #expect(try served(ground) == first)

            _ = try await writer.write([ground.arrival(known[2], day: 3)])
            let expected = (try rows(source), try ground.contents(source))
            var lines: [String] = []
            try ground.move().apply { lines.append($0) }
            // The third, and the first, which was noted for the former copy.
            #expect(!lines.contains(whole) && lines.contains("copied 2 rows of \(name(ofDay: 3, ground))"))
            #expect(try rows(target) == expected.0)
            #expect(try ground.contents(target) == expected.1)
            try await ground.verify()
        }
    }

    @Test("an abort removes the copies and the triggers, also later if the target is away")
    func aborted() async throws {
        try await MoveGround.run { ground in
            try await ground.fill()
            let (source, target) = (try ground.connectToSource(), try ground.connectToTarget())
            let before = try ground.counts(source)
            for isTargetAway in [false, true] {
                #expect(try served(ground) != [])
                #expect(try ground.notedDays(source) > 0)
                #expect(try ground.abort(isTargetAway: isTargetAway) == !isTargetAway)
                #expect(try ground.notedDays(source) == 0)
                #expect(try ground.counts(source) == before)
            }
            try await ground.register(4, appID: 2)
            try target.execute(
                script: SQLFile(
                    name: "test/later",
                    text: "UPDATE landfall.app_move SET changed_at = now() - interval '61 minutes'"))
            let unfinished = try target.query(.Moving.unfinishedMoves)
            #expect(try unfinished.column("slug", as: String.self) == ["2"])
            #expect(try ground.abort())
            #expect(try ground.counts(target) == ["app_move": 1])
            #expect(try target.query(.Moving.unfinishedMoves).count == 0)

            let contents = try ground.contents(source)
            try ground.move().apply()
            #expect(try ground.contents(target) == contents)
            try await ground.verify()
        }
    }

    @Test("days that both cells drop then are left out")
    func dropped() async throws {
        try await MoveGround.run { ground in
            try await ground.fill()
            let (source, target) = (try ground.connectToSource(), try ground.connectToTarget())
            let writer = try await ground.writer(of: ground.pools[0])
            _ = try await writer.write([ground.response(UUID(), day: 3, token: 1)])
            #expect(try served(ground) != [])
            let day = ground.sentAt - .days(3)
            try source.query(.Maintenance.dropPartition, [.value(day)])
            #expect(throws: AppMoveError.otherRetention(ground.three)) { try ground.move().apply() }
            try await ground.register(4, appID: 2)
            try target.query(.Maintenance.dropPartition, [.value(day)])
            let expected = (try rows(source), try ground.contents(source))
            try ground.move().apply()
            #expect(try rows(target) == expected.0)
            #expect(try ground.contents(target) == expected.1)
            try await ground.verify()
        }
    }
}
