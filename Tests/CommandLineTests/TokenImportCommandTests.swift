import ArgumentParser
import Basics
import ChildPrograms
import Foundation
import Reports
import Testing
import Vault

@testable import Dashboards
@testable import Rendering

@Suite("Import and reseal commands") struct TokenImportCommandTests {
    @Test("reject an unknown kind or environment, and a registration in the future, as usage errors")
    func mistakes() {
        for options in [
            ["--kind", "nope"], ["--environment", "staging"], ["--registered-at", "soon"],
            ["--registered-at", "2999-01-01"], [],
        ] {
            let file = options.isEmpty ? [] : ["tokens.csv"]
            #expect(throws: (any Error).self, "\(options)") {
                try Landfall.parseAsRoot(["tokens", "import"] + file + options)
            }
        }
        #expect(throws: Never.self) {
            try Landfall.parseAsRoot([
                "tokens", "import", "-", "--kind", "voip", "--environment", "sandbox", "--registered-at",
                "90d",
            ])
        }
    }

    @Test("read a whole file, compressed or not, and name one that is not gzip")
    func files() throws {
        let folder = try ThrowawayFolder.create(for: "import-files")
        defer { try? folder.remove() }
        let text = Data((0..<100_000).map { "line \($0)\n" }.joined().utf8)
        let plain = folder.url.appendingPathComponent("tokens.csv")
        try text.write(to: plain)
        let gzip = Process()
        gzip.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        gzip.arguments = ["gzip", "-k", plain.path]
        try gzip.run()
        gzip.waitUntilExit()
        for path in [plain.path, plain.path + ".gz"] {
            let file = try ImportFile(path)
            var read: [UInt8] = []
            var piece = try file.read()
            while !piece.isEmpty {
                read += piece
                piece = try file.read()
            }
            #expect(Data(read) == text)
        }
        let broken = folder.url.appendingPathComponent("broken.gz")
        try Data("no gzip".utf8).write(to: broken)
        let file = try ImportFile(broken.path)
        #expect(
            throws: CommandProblem("the name of the file ends in .gz, but gzip could not unpack all of it")
        ) { try file.read() }
        #expect(
            throws: CommandProblem("/nonexistent does not exist or cannot be read; - reads standard input")
        ) { try ImportFile("/nonexistent") }
    }

    @Test("the plan of a key change says what will be lost, and that nothing was changed")
    func resealPlan() {
        let style = OutputStyle(usesUnicode: false, usesColor: false)
        let plan = [
            "tokens": SealedRowCounts(rows: 1_200, tombstones: 30), "quarantine": SealedRowCounts(rows: 7),
            "signing_keys": SealedRowCounts(rows: 3),
        ]
        let report = ResealReport(plan: plan, stage: .notBegun, asOf: Instant(millisecondsSinceEpoch: 0))
        #expect(
            report.lines(style) == [
                "Reseal under a new token key", "",
                "  tokens        1,200  of all apps, found by a new fingerprint",
                "  tombstones       30  of these, swept or erased: their values will not be recognized later",
                "  quarantine        7  items of all apps",
                "  signing keys      3  of all apps", "",
                "This is a plan: nothing was changed. Stop every server, then --apply carries it out.",
            ])
        #expect(report.document.indentedText.contains("\"stage\": \"not_begun\""))
        let begun = ResealReport(plan: plan, stage: .begun, asOf: Instant(millisecondsSinceEpoch: 0))
        #expect(begun.lines(style).last?.contains("has not been completed") == true)
    }
}
