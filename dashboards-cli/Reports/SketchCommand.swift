internal import ArgumentParser
internal import Basics
internal import Maintenance
internal import People
internal import Rendering
internal import Reports

struct SketchCommand: StoppableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sketch", abstract: "Build sketches, which make long reach reports fast.",
        discussion: """
            Creates PostgreSQL's extension hll in the database if it does not exist, and sketches everything \
            recorded that is older than an hour. From then on, servers and landfall maintain keep the \
            sketches up to date, and landfall reach uses them for windows of more than three days, with a \
            standard error of 0.8 %; such numbers are marked with ≈. landfall reach --exact still counts. To \
            return to counting, drop the extension: DROP EXTENSION hll. Exits with 4 if another program is \
            maintaining this database.

              landfall sketch
              landfall sketch --json
            """,
        // Rare, and the list of commands is to fit on a screen.
        shouldDisplay: false)

    @OptionGroup(title: "Database") var database: DatabaseOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func work() throws {
        do {
            try database.withEachCell(output) { database, results in
                let connection = try database.connect()
                try Audit.recordCommand("sketches_created", on: connection)
                try SketchExtension.create(on: connection)
                let sketched = try Maintenance().sketch(
                    now: .now, on: connection, isStopped: { Task.isCancelled })
                try results.write(sketched)
            }
        } catch let error as SketchExtensionError {
            note("Error: \(error).")
            throw ExitCode.failure
        }
    }
}

extension MaintenanceReport.Sketched: CommandResult {
    /// `{"report":"sketch",…}`: UTC days of apps, and rows of `reach_sketch`.
    var document: JSONValue {
        ["report": "sketch", "sketched_days": .integer(days), "sketches_built": .integer(sketches)]
    }

    var csv: CSVText {
        var text = CSVText(header: ["sketched_days", "sketches_built"])
        text.append([.integer(days), .integer(sketches)])
        return text
    }

    func lines(_ style: OutputStyle) -> [String] {
        let what =
            days == 0
            ? "Nothing was missing: the sketches of all days match the counters."
            : "Built \(grouped(sketches)) sketches of \(grouped(days)) days."
        return [
            style.paint("Sketches of reach", .title), "", what,
            "landfall reach uses them for windows of more than three days.",
        ]
    }
}
