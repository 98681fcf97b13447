internal import ChildPrograms
internal import Foundation

/// The machine on which the figures were measured.
struct Machine: Encodable, Sendable {
    let cores: Int
    let system: String
    let postgres: String
    /// `nil` if no compiler is installed where the benchmark runs.
    let swift: String?

    init(postgres: String, swift: String? = nil) {
        self.cores = ProcessInfo.processInfo.activeProcessorCount
        self.system = ProcessInfo.processInfo.operatingSystemVersionString
        self.postgres = postgres
        self.swift = swift
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
