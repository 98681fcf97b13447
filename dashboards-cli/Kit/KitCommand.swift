internal import AppArchive
internal import ArgumentParser
internal import Basics
internal import Foundation
internal import Rendering

struct KitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kit", abstract: "Check an app that contains the device kit.",
        discussion: """
            Example:
              landfall kit check Shop.ipa
            """,
        subcommands: [KitCheckCommand.self])
}

struct KitCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check whether the device kit will work in an app.",
        discussion: """
            Reads an .ipa archive, an .xcarchive or an .app folder, and needs neither Xcode nor a database: the \
            notification service extension, the keys in both Info.plist files, the App Group in both signatures, \
            the push environment, and the provisioning profiles. Exits with 1 if there is a problem. Whether \
            pushes have mutable-content, without which no extension runs, no archive shows.

              landfall kit check Shop.ipa
              landfall kit check Shop.xcarchive --json
            """)

    @Argument(help: "The archive or folder.", completion: .file(extensions: ["ipa", "xcarchive", "app"]))
    var archive: String

    @Flag(help: "Print the findings as JSON.") var json = false

    func run() throws {
        let findings = try KitCheck.run(archive, now: Date())
        print(json ? document(findings).indentedText : lines(findings).joined(separator: "\n"))
        if findings.contains(where: { $0.level == .problem }) { throw ExitCode.failure }
    }

    private func lines(_ findings: [KitFinding]) -> [String] {
        findings.flatMap { finding in
            ["\(padded(finding.level.rawValue, to: 9))\(printable(finding.sentence))"]
                + (finding.fix.map { ["         \(printable($0))"] } ?? [])
        }
    }

    private func document(_ findings: [KitFinding]) -> JSONValue {
        let columns = Listing<KitFinding>(
            .text("level") { $0.level.rawValue }, .text("sentence") { $0.sentence }, .text("fix") { $0.fix })
        return ["findings": columns.json(findings)]
    }
}
