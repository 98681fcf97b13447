internal import ArgumentParser
internal import Basics
internal import DeliveryArchive
internal import DeliveryModel
internal import Foundation
internal import People
internal import Rendering

struct ArchiveCommand: StoppableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive", abstract: "Write whole days of notifications to files.",
        discussion: """
            Each UTC day gets a folder day=2026-03-01 with one Parquet file, and a manifest with its number \
            of rows, its SHA-256, its columns, and sums for each app that equal the reports of the day. \
            DuckDB, Spark and Athena read the folders as one table. A day that is archived already is written \
            again only if events came in since. The files contain no tokens, but numbers of installations \
            and names of campaigns. The command can be stopped at any time and run again.

            With --drop, each day is closed, archived, and dropped from the database; its counters stay. \
            Events of the day are rejected as too_old from then on, and reports that are read from \
            notifications lose the day. An archive cannot be imported again. With several cells, an archive \
            contains one: give each a folder of its own.

              landfall archive /archive --before 30d
              landfall archive /archive --before 90d --drop
              duckdb -c "SELECT app, count_if(clicked) FROM '/archive/*/*.parquet' GROUP BY app"
            """)

    @Argument(help: "The folder of the archive.", completion: .directory) var folder: String
    @Option(help: .when("Days that ended before this are archived: \(InstantForms.utc).")) var before: String
    @Flag(help: "Write one JSON object per line, in gzip, instead of Parquet.") var ndjson = false
    @Flag(help: "Drop each day from the database once it is archived. Days must be at least 14 days old.")
    var drop = false
    @OptionGroup(title: "Database") var database: DatabaseOptions
    @OptionGroup(title: "Database") var cell: CellOption
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws { _ = try instant(before, option: "--before", now: .now) }

    func work() throws {
        guard let before = try instant(before, option: "--before", now: .now) else { return }
        let days = try database.withDatabase { front in
            let chosen = try cell.database(of: database, front, for: "An archive")
            let connection = try chosen.connect()
            if drop {
                let subject = "before \(before.rfc3339), to \(folder)"
                try Audit.recordCommand("days_archived", subject: subject, on: connection)
            }
            let line = ProgressLine()
            defer { line.clear() }
            let archiver = DayArchiver(
                folder: URL(fileURLWithPath: folder), format: ndjson ? .ndjson : .parquet, drops: drop,
                cell: chosen.cell?.number, on: connection, isStopped: { Task.isCancelled })
            return try archiver.run(before: before) { day, rows in
                line.show("archiving \(day.utcDate)  \(grouped(rows)) notifications")
            }
        }
        let columns = Listing<ArchivedDay>(
            .text("day", "day") { $0.day.utcDate }, .count("rows", "rows") { $0.rows },
            .count("bytes", "bytes") { $0.bytes }, .text("outcome", "outcome") { $0.outcome.rawValue })
        try output.write(columns, days, as: "days")
        if days.isEmpty { try database.noteNothing("There is no day to archive") }
        guard !days.contains(where: { $0.outcome == .postponed }) else {
            note("The table of notifications was in use all the time. Run the same command again.")
            throw ExitCode.failure
        }
    }
}
