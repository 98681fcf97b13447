internal import ArgumentParser
internal import Foundation
internal import Rendering

extension ReportFormat: ExpressibleByArgument {}

/// The output format of a report.
struct ReportOutputOptions: ParsableArguments {
    @Option(help: "The output format: table, json, ndjson, csv or html.")
    var format: ReportFormat?

    @Flag(help: "Print one JSON document; short for --format json.")
    var json = false

    @Flag(help: "Print one JSON document per row, one per line, the totals last; short for --format ndjson.")
    var ndjson = false

    @Flag(help: "Print a header line, then one line per row; short for --format csv.")
    var csv = false

    @Flag(help: "Print one self-contained page with charts, to mail or to open; short for --format html.")
    var html = false

    @Flag(help: "Draw with plain ASCII, the default if the output is not a terminal.")
    var ascii = false

    func validate() throws {
        let flags: [(Bool, ReportFormat)] = [(json, .json), (ndjson, .ndjson), (csv, .csv), (html, .html)]
        let asked = [format].compactMap(\.self) + flags.filter(\.0).map(\.1)
        guard Set(asked).count <= 1 else {
            throw ValidationError("Choose one format: \(asked.map(\.rawValue).joined(separator: " or ")).")
        }
    }

    var chosenFormat: ReportFormat {
        if json { return .json }
        if ndjson { return .ndjson }
        if csv { return .csv }
        return html ? .html : format ?? .table
    }

    /// Writes a report to stdout in the chosen format and, if it found nothing, a note with the name of the database.
    ///
    /// - Parameter limit: the rows of its tables; `nil` for all.
    func write(
        _ report: some RenderableReport, limit: OutputStyle.RowLimit? = nil, of database: DatabaseOptions
    ) throws {
        var style = style
        style.rowLimit = limit
        try write(report.text(as: chosenFormat, style))
        if let remark = report.remark(on: chosenFormat) { note(remark) }
        guard let emptiness = report.emptiness else { return }
        try database.noteNothing(emptiness.sentence)
        if let hint = emptiness.hint { note(hint) }
    }

    /// Writes a report that is already in the chosen format.
    func write(_ text: String) throws {
        try Stdout.write(text)
        if chosenFormat == .html, isatty(STDOUT_FILENO) == 1 {
            note("This is a page for a browser: write it to a file with > report.html")
        }
    }

    /// The style for this program's stdout.
    var style: OutputStyle { .stdout(asksForASCII: ascii) }
}
