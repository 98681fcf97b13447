internal import ChildPrograms
internal import Foundation

/// The machine on which the figures were measured.
struct Machine: Encodable, Sendable {
    let cores: Int
    /// `nil` if the system does not report it.
    let processor: String?
    let system: String
    let postgres: String
    /// `nil` if no compiler is installed where the benchmark runs.
    let swift: String?

    init(postgres: String, swift: String? = nil) {
        self.cores = ProcessInfo.processInfo.activeProcessorCount
        let cpus = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
        self.processor = cpus?.firstMatch(of: /model name\s*: (.+)/).map { String($0.1) }
        self.system = ProcessInfo.processInfo.operatingSystemVersionString
        self.postgres = postgres
        self.swift = swift
    }

    /// All of it in one line.
    var text: String {
        let facts = [
            "\(cores) cores", processor, system, "PostgreSQL \(postgres)", swift.map { "Swift \($0)" },
        ]
        return facts.compactMap(\.self).joined(separator: ", ")
    }

    /// The version that `swift --version` reports. The program was built with it unless the compiler was
    /// changed since.
    static func swiftVersion() async throws -> String? {
        guard let compiler = ChildProgram.find("swift") else { return nil }
        let folder = try ThrowawayFolder.create(for: "bench")
        return try await ending({ try folder.remove() }) {
            let log = folder.url.appendingPathComponent("swift-version.log")
            let program = try ChildProgram.start(compiler, ["--version"], log: log)
            try await program.waitUntilEnded()
            return program.output.firstMatch(of: /Swift version (\S+)/).map { String($0.1) }
        }
    }
}
