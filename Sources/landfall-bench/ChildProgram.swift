internal import Foundation

/// A program that runs beside this one and writes its output to a file.
struct ChildProgram: Sendable {
    private let program: Process
    private let log: URL

    static func start(
        _ executable: URL, _ arguments: [String], environment: [String: String]? = nil, log: URL
    ) throws -> ChildProgram {
        try Data().write(to: log)
        let output = try FileHandle(forWritingTo: log)
        let program = Process()
        program.executableURL = executable
        program.arguments = arguments
        program.environment = environment
        program.standardInput = FileHandle.nullDevice
        program.standardOutput = output
        program.standardError = output
        try program.run()
        try output.close()
        return ChildProgram(program: program, log: log)
    }

    /// The program of this name in the search path.
    static func find(_ name: String) -> URL? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    var pid: pid_t { program.processIdentifier }
    var hasEnded: Bool { !program.isRunning }
    var output: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }
    var lastLines: String { output.split(separator: "\n").suffix(20).joined(separator: "\n") }

    /// Waits until it has ended by itself; ends it when the task is cancelled.
    func waitUntilEnded() async throws {
        do {
            while !hasEnded { try await Task.sleep(for: .milliseconds(20)) }
        } catch {
            end(patience: .seconds(2))
            throw error
        }
    }

    /// Asks it to end and waits; ends it when it has not within the patience. Blocks.
    func end(patience: Duration) {
        guard !hasEnded else { return }
        kill(pid, SIGTERM)
        let deadline = ContinuousClock.now + patience
        while !hasEnded, ContinuousClock.now < deadline { usleep(20_000) }
        guard !hasEnded else { return }
        note("\(program.executableURL?.lastPathComponent ?? "") did not end when asked and is killed")
        kill(pid, SIGKILL)
        program.waitUntilExit()
    }
}
