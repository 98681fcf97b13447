import Foundation
import TestDatabase

/// The program `landfall` as a process of its own that inherits nothing.
struct LandfallProgram {
    struct Ending {
        let status: Int32
        let output: String
        let notes: String
    }

    /// The home folder and working directory.
    let folder: URL
    var environment: [String: String] = [:]

    static var url: URL {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("landfall")
    }

    /// The program with the test's database.
    static func onTestDatabase(in folder: URL) -> LandfallProgram {
        LandfallProgram(
            folder: folder,
            environment: TestDatabase.current.variables.merging(
                ["LANDFALL_TOKEN_KEY": Data(repeating: 7, count: 32).base64EncodedString()]) { $1 })
    }

    func run(_ arguments: String..., input: String = "") throws -> Ending {
        try run(arguments, input: input)
    }

    func run(_ arguments: [String], input: String = "") throws -> Ending {
        let process = Process()
        process.executableURL = Self.url
        process.arguments = arguments
        if environment["LANDFALL_DATABASE_CELLS"] != nil {
            try TestDatabase.current.enterApps()
            let isOfOneCell = [["app", "create"], ["archive"], ["backup"], ["restore"]]
                .contains { arguments.starts(with: $0) }
            process.arguments = arguments + (isOfOneCell ? TestDatabase.cellOptions : [])
        }
        process.currentDirectoryURL = folder
        let inherited = ProcessInfo.processInfo.environment
        process.environment = [
            "HOME": folder.path, "PATH": inherited["PATH"] ?? "", "NO_COLOR": "1",
        ].merging(inherited.filter { $0.key == "LANDFALL_PG_BIN" }) { $1 }.merging(environment) { $1 }
        let texts = ["out", "err", "in"].map { folder.appendingPathComponent(".\($0)-\(UUID())") }
        defer { texts.forEach { try? FileManager.default.removeItem(at: $0) } }
        try Data(input.utf8).write(to: texts[2])
        for text in texts.prefix(2) { _ = FileManager.default.createFile(atPath: text.path, contents: nil) }
        process.standardOutput = try FileHandle(forWritingTo: texts[0])
        process.standardError = try FileHandle(forWritingTo: texts[1])
        process.standardInput = try FileHandle(forReadingFrom: texts[2])
        try process.run()
        process.waitUntilExit()
        let written = try texts.prefix(2).map { try String(contentsOf: $0, encoding: .utf8) }
        return Ending(status: process.terminationStatus, output: written[0], notes: written[1])
    }
}
