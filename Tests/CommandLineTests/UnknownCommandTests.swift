import ArgumentParser
import ChildPrograms
import CommandNames
import DeliveryModel
import Foundation
import Testing

@testable import Dashboards

@Suite("A command that does not exist")
struct UnknownCommandTests {
    @Test(
        "is named with its place and the closest name, whatever follows",
        arguments: [
            (["fnnel", "--help"], "landfall", "funnel"), (["help", "fnnel"], "landfall", "funnel"),
            (["tokens", "swep", "-h"], "landfall tokens", "sweep"),
            (["key", "creat"], "landfall key", "create"),
            (["qwertyuiop", "--help"], "landfall", nil),
        ] as [([String], String, String?)])
    func told(arguments: [String], place: String, closest: String?) throws {
        let unknown = try #require(UnknownCommand(in: arguments, of: Landfall.self))
        #expect(unknown.path.joined(separator: " ") == place)
        #expect(unknown.closest == closest)
        #expect(unknown.description.contains("\(place) --help lists all commands."))
    }

    @Test(
        "is neither an existing command nor the value of an option",
        arguments: [
            [], ["--help"], ["--version"], ["funnel", "--help"], ["help"], ["help", "tokens", "sweep"],
            ["--app", "fnnel"], ["key", "create", "--kind", "server"], ["explain", "metric", "ctr"],
            ["app", "create", "shop"], ["tokens"],
        ])
    func none(arguments: [String]) {
        #expect(UnknownCommand(in: arguments, of: Landfall.self) == nil)
    }

    private func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent(program)
        process.arguments = arguments
        let pipe = Pipe()
        (process.standardOutput, process.standardError) = (pipe, pipe)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }

    @Test(
        "ends both programs with 64",
        arguments: [("landfall", "funel", "funnel"), ("landfall-server", "srve", "serve")])
    func status(program: String, word: String, closest: String) throws {
        let result = try run(program, [word, "--help"])
        #expect(result.status == 64)
        #expect(
            result.output.hasPrefix(
                "Error: '\(word)' is not a command of \(program). Did you mean '\(closest)'?"))
    }

    @Test("both programs print their version", arguments: ["landfall", "landfall-server"])
    func version(program: String) throws {
        let result = try run(program, ["--version"])
        #expect(result.status == 0)
        #expect(result.output == LandfallVersion.text(of: program) + "\n")
    }

    @Test("the HTTP API has the same version")
    func interface() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent(
                "Sources/LandfallServer/Resources/openapi.yaml")
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains("\n  version: \(LandfallVersion.current)\n"))
    }
}
