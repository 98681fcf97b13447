internal import ArgumentParser
internal import ChildPrograms
internal import Foundation
internal import KitTrials
internal import PostgresClient
internal import ReferenceModel
internal import Reports

struct KitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kit",
        abstract:
            "Kill phones with the device kit at random, on a bad network: what was on disk must be recorded.",
        discussion: """
            Starts a private PostgreSQL, a server, and a program for each run of an extension or an app. Prints what was lost, or \
            recorded without being reported; the exit code is then 1.

            Example:
              landfall-soak kit --runs 100000
            """)

    @Option(help: "The number of runs of extensions; taps add about a quarter more of the app.")
    var runs = 100_000

    @Option(help: "The seed. Default: derived from the clock.")
    var seed: UInt64?

    func validate() throws {
        guard runs > 0 else { throw ValidationError("--runs must be at least 1") }
    }

    func run() async throws {
        let seed = seed ?? UInt64(Instant.now.millisecondsSinceEpoch)
        let isRight = try await StopSignals.cancelling {
            try await SoakGround.use { ground in try await run(seed: seed, on: ground) }
        }
        if !isRight { throw ExitCode(1) }
    }

    private func run(seed: UInt64, on ground: SoakGround) async throws -> Bool {
        let fleet = ServerFleet(
            try ServerProgram.executable(), database: ["LANDFALL_DATABASE_URL": ground.url],
            dataFolder: ground.folder)
        defer { fleet.stop() }
        try await fleet.start()
        // Fewer notifications per phone than the spool holds, because the kit drops the oldest beyond that.
        let trial = KitTrial(
            seed: seed, phones: (runs + 399) / 400, notificationsPerPhone: min(runs, 400),
            programs: try ServerProgram.executable("landfall-phone").deletingLastPathComponent(),
            server: fleet.addresses.first ?? "", pool: ground.pool)
        let started = ContinuousClock.now
        let outcome = try await trial.run(in: ground.folder) { runs in
            if runs.isMultiple(of: 5_000) { note("\(runs) runs") }
        }
        let verification = try await ground.pool.withConnection { try Verification.run(on: $0) }
        print(outcome.description)
        print(
            "\(verification.differenceCount) differences between rows and counters; seed \(seed); \(ContinuousClock.now - started)"
        )
        return outcome.isRight && verification.differenceCount == 0
    }
}
