internal import ChildPrograms
internal import Foundation

/// The whole benchmark, unattended. Each stage has its own database and its own server.
struct Bench: Sendable {
    let settings: BenchSettings

    func run() async throws -> BenchReport {
        let program = try ServerProgram.executable()
        guard Wrk.isInstalled else { throw BenchProblem.noWrk }
        let compiler = try await swiftVersion()
        var stages: [StageReport] = []
        for stage in Stage.all(settings) {
            stages.append(try await StageMeasurement(settings, stage, program).run())
        }
        let machine = Machine(postgres: stages.first?.postgres ?? "", swift: compiler)
        return BenchReport(machine, settings, stages)
    }

    private func swiftVersion() async throws -> String? {
        let folder = try ThrowawayFolder.create(for: "bench")
        return try await ending({ try folder.remove() }) {
            try await Machine.swiftVersion(scratch: folder.url)
        }
    }
}
