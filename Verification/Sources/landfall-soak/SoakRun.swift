internal import ChildPrograms
internal import DeliveryModel
internal import Foundation
internal import PostgresClient
internal import ReferenceModel
internal import Reports

/// One soak of events on its own database.
struct SoakRun: Sendable {
    let seeds: Range<UInt64>
    let serverCount: Int

    /// The number of histories between two kills.
    private static let historiesPerKill = 200

    /// - Returns: whether all results are right.
    func run() async throws -> Bool {
        try await SoakGround.use { ground in
            let started = ContinuousClock.now
            let outcome =
                serverCount > 0
                ? try await playOverHTTP(url: ground.url, pool: ground.pool, folder: ground.folder)
                : try await play(url: ground.url, pool: ground.pool)
            return try await judge(outcome, ground.pool, took: ContinuousClock.now - started)
        }
    }

    private func play(url: String, pool: PostgresPool) async throws -> SoakOutcome {
        let maker = HistoryMaker(now: .now, hasSkewedClocks: true)
        return try await WriterIntake(url: url, pool: pool).closing { intake in
            try await Soak(maker, to: intake, pool: pool).run(seeds: seeds, progress: progress)
        }
    }

    private func playOverHTTP(url: String, pool: PostgresPool, folder: URL) async throws -> SoakOutcome {
        let here = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
        let executable = here.resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("landfall-server")
        let fleet = ServerFleet(executable, database: ["LANDFALL_DATABASE_URL": url], dataFolder: folder)
        defer { fleet.stop() }
        for _ in 0..<serverCount { try await fleet.start() }
        let maker = HistoryMaker(now: .now, hasSkewedClocks: false)
        return try await ServerIntake(pool: pool) { fleet.addresses }.closing { intake in
            try await play(Soak(maker, to: intake, pool: pool), fleet)
        }
    }

    /// Plays the histories and meanwhile kills servers.
    private func play(_ soak: Soak<ServerIntake>, _ fleet: ServerFleet) async throws -> SoakOutcome {
        try await withThrowingTaskGroup(of: SoakOutcome?.self) { group in
            let played = AsyncStream.makeStream(of: Int.self)
            group.addTask {
                defer { played.continuation.finish() }
                return try await soak.run(seeds: seeds) { outcome in
                    progress(outcome)
                    played.continuation.yield(outcome.histories)
                }
            }
            group.addTask {
                try await killNowAndThen(fleet, played.stream)
                return nil
            }
            var outcome = SoakOutcome()
            for try await found in group { outcome = found ?? outcome }
            return outcome
        }
    }

    /// Kills and replaces a server while the next histories are being posted.
    private func killNowAndThen(_ fleet: ServerFleet, _ played: AsyncStream<Int>) async throws {
        var next = 0
        for await histories in played where histories >= next {
            fleet.killOne()
            try await fleet.start()
            next = histories + Self.historiesPerKill
        }
    }

    @Sendable
    private func progress(_ outcome: SoakOutcome) {
        guard outcome.histories.isMultiple(of: 6_400) || outcome.histories == seeds.count else { return }
        note("\(outcome.histories) histories, \(outcome.items) items")
    }

    private func judge(_ outcome: SoakOutcome, _ pool: PostgresPool, took: Duration) async throws -> Bool {
        if let failure = outcome.failure {
            print(failure)
            return false
        }
        let verification = try await pool.withConnection { try Verification.run(on: $0) }
        let isComplete = verification.notifications == Int64(outcome.notifications)
        let rate = Double(outcome.histories) / max(took / .seconds(1), 0.001)
        print(
            """
            seeds \(seeds.lowerBound) to \(seeds.upperBound - 1): \(outcome.histories) histories, \
            \(outcome.items) items, \(outcome.notifications) notifications, all as expected
            recounted \(verification.notifications) notifications against \(verification.counters) counters: \
            \(verification.differenceCount) differences
            \(Int(rate)) histories per second
            """)
        return verification.differenceCount == 0 && isComplete
    }
}
