import CellTrials
import Foundation
import Testing

/// Two cells with a PostgreSQL server each, and two server programs. Shorter than `landfall-soak cells`.
@Suite(.timeLimit(.minutes(40))) struct CellTrialTests {
    @Test(
        "two cells whose databases and servers are killed, and an app that moves between them: nothing is lost or recorded twice, and feeds are exact"
    )
    func cells() async throws {
        let programs = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        try await CellGround.use(programs: programs) { ground in
            let killed = try await CellTrial(seed: 1, duration: .seconds(6), appsPerCell: 1).run(on: ground)
            #expect(killed.differences == [])
            #expect(killed.kills["database 0"] == 1)
            #expect(killed.kills["database 1"] == 1)
            #expect(killed.kills["server", default: 0] > 0)
            #expect(killed.items > 100)

            let moved = try await MoveTrial(seed: 1, events: 2_000, moves: 2, killsPerMove: 3).run(on: ground)
            #expect(moved.differences == [])
            #expect(moved.kills["move", default: 0] > 0)
            #expect(moved.items >= 2_000)
        }
    }
}
