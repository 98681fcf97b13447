import ChildPrograms
import Foundation
import TestDatabase
import Testing

@testable import Dashboards

/// `landfall tokens import` with files as spreadsheets and databases write them.
@Suite(.database) struct ImportedFileTests {
    private func ending(
        of text: String, encoding: String.Encoding = .utf8, _ options: String...
    ) throws -> (status: Int32, output: String, notes: String) {
        let folder = try ThrowawayFolder.create(for: "imported-file")
        defer { try? folder.remove() }
        let program = LandfallProgram.onTestDatabase(in: folder.url)
        _ = try program.run("app", "create", "shop")
        let file = folder.url.appendingPathComponent("tokens.csv")
        try text.data(using: encoding)?.write(to: file)
        let ending = try program.run(["tokens", "import", file.path, "--app", "shop"] + options)
        return (ending.status, ending.output, ending.notes)
    }

    @Test("a file whose lines are all invalid makes the command exit with 1, and the plan says why, once")
    func onlyInvalid() throws {
        let lines = (0..<20).map { "aa\($0 + 10),1795424400\n" }.joined()
        for options in [[], ["--apply"]] {
            let ending =
                options.isEmpty
                ? try ending(of: "value,registered_at\n" + lines)
                : try ending(of: "value,registered_at\n" + lines, options[0])
            #expect(ending.status == 1)
            #expect(ending.output.contains("No line of the file can be read"))
            #expect(ending.output.components(separatedBy: "in seconds").count == 2, "\(ending.output)")
        }
        let json = try ending(of: "value,registered_at\n" + lines, "--json")
        #expect(json.output.contains(#""mistake": "seconds""#), "\(json.output)")
        #expect(json.output.contains(#""first_line": 2"#))
        #expect(try ending(of: "value,registered_at\n\(lines)bb01,1795424400000\n").status == 0)
    }

    @Test("a file in UTF-16 is reported as such, and the command exits with 1")
    func utf16() throws {
        let ending = try ending(
            of: "\u{FEFF}value,registered_at\naa01,1795424400000\n", encoding: .utf16LittleEndian)
        #expect(ending.status == 1)
        #expect(ending.notes.contains("UTF-16"))
        #expect(ending.notes.contains("iconv"))
    }

    @Test("a column that often marks unused tokens is reported")
    func disuse() throws {
        let ending = try ending(of: "value,invalid_identifier,registered_at\naa01,t,1795424400000\n")
        #expect(ending.status == 0)
        #expect(
            ending.output.contains("invalid_identifier is not read, but such a column often marks"),
            "\(ending.output)")
    }
}
