internal import ChildPrograms
internal import Foundation

/// What the figures were measured on.
struct Machine: Encodable, Sendable {
    let cores: Int
    let system: String
    let postgres: String
    /// Nil where there is no compiler at run time.
    let swift: String?
    /// Programs that wanted to run, on average over the minute before the benchmark; nil where the system does not
    /// tell. On a quiet machine it is near 0.
    let load: Double?

    /// Above this load something else takes so much of the machine that figures suffer.
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

    /// What `swift --version` says; the program was built with it unless somebody changed it since.
    static func swiftVersion(scratch: URL) async throws -> String? {
        guard let compiler = ChildProgram.find("swift") else { return nil }
        let program = try ChildProgram.start(
            compiler, ["--version"], log: scratch.appendingPathComponent("swift-version.log"))
        try await program.waitUntilEnded()
        return program.output.firstMatch(of: /Swift version (\S+)/).map { String($0.1) }
    }
}
