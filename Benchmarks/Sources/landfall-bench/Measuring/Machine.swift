internal import ChildPrograms
internal import Foundation

/// The machine on which the figures were measured.
struct Machine: Encodable, Sendable {
    let cores: Int
    let system: String
    let postgres: String
    /// `nil` if no compiler is installed where the benchmark runs.
    let swift: String?
    /// The number of programs that wanted to run, averaged over the minute before the benchmark; `nil` if the system does not
    /// report it. It is near 0 on a quiet machine.
    let load: Double?

    /// Above this load, other programs use enough of the machine to distort the figures.
    static let quietLoad = 0.5

    init(postgres: String, swift: String?, load: Double?) {
        self.cores = ProcessInfo.processInfo.activeProcessorCount
        self.system = ProcessInfo.processInfo.operatingSystemVersionString
        self.postgres = postgres
        self.swift = swift
        self.load = load
    }

    static func currentLoad() -> Double? {
        var averages = [0.0]
        return getloadavg(&averages, 1) == 1 ? averages[0] : nil
    }

    /// The version that `swift --version` reports. The program was built with it unless the compiler was changed since.
    static func swiftVersion(scratch: URL) async throws -> String? {
        guard let compiler = ChildProgram.find("swift") else { return nil }
        let program = try ChildProgram.start(
            compiler, ["--version"], log: scratch.appendingPathComponent("swift-version.log"))
        try await program.waitUntilEnded()
        return program.output.firstMatch(of: /Swift version (\S+)/).map { String($0.1) }
    }
}
