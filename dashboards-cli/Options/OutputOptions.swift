internal import ArgumentParser
internal import DeliveryModel
internal import Foundation
internal import Rendering
internal import Reports

/// The options that choose the format of what is written to stdout.
protocol FormatOptions: ParsableArguments {
    associatedtype Format: RawRepresentable<String> & Hashable

    var format: Format? { get }
    /// Each flag that is short for a format, and whether it is set.
    var flags: [(Bool, Format)] { get }
    var ascii: Bool { get }
}

extension FormatOptions {
    func validate() throws {
        let asked = [format].compactMap(\.self) + flags.filter(\.0).map(\.1)
        guard Set(asked).count <= 1 else {
            throw ValidationError("Choose one format: \(asked.map(\.rawValue).joined(separator: " or ")).")
        }
    }

    var style: OutputStyle { .stdout(asksForASCII: ascii) }
}

enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case table, json, csv
}

struct OutputOptions: FormatOptions {
    @Option(help: "The output format: table, json or csv.") var format: OutputFormat?
    @Flag(help: "Print one JSON document; short for --format json.") var json = false
    @Flag(help: "Print a header line, then one line per row; short for --format csv.") var csv = false
    @Flag(help: "Draw with plain ASCII, the default if the output is not a terminal.") var ascii = false

    var flags: [(Bool, OutputFormat)] { [(json, .json), (csv, .csv)] }

    var chosenFormat: OutputFormat { flags.first(where: \.0)?.1 ?? format ?? .table }

    func write(_ result: some CommandResult) throws {
        try write(json: result.document, csv: result.csv, table: { result.lines($0) })
    }

    func write(
        json: @autoclosure () -> JSONValue, csv: @autoclosure () -> CSVText, table: (OutputStyle) -> [String]
    ) throws {
        switch chosenFormat {
        case .json: try Stdout.write(documents: [json().indentedText])
        case .csv: try Stdout.write(csv().text)
        case .table: try Stdout.write(lines: table(style))
        }
    }

    /// Writes a list.
    ///
    /// - Parameters:
    ///   - name: of the rows in JSON.
    ///   - app: if all of them are of one.
    func write<Row>(_ columns: Listing<Row>, _ rows: [Row], as name: String, of app: App? = nil) throws {
        let app = app.map { [JSONValue.Member("app", .string($0.slug))] } ?? []
        try write(
            json: .object(app + [.init(name, columns.json(rows))]), csv: columns.csv(rows),
            table: { columns.table(rows, $0).lines($0) })
    }
}

/// Writes a note to stderr, which keeps it out of the result on stdout. Names in it are escaped,
/// so that they cannot control the terminal.
func note(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
        printable(String($0)) + "\n"
    }
    FileHandle.standardError.write(Data(lines.joined().utf8))
}

extension ReportFormat: ExpressibleByArgument {}

struct ReportOutputOptions: FormatOptions {
    @Option(help: "The output format: table, json, ndjson, csv or html.") var format: ReportFormat?
    @Flag(help: "Print one JSON document; short for --format json.") var json = false

    @Flag(help: "Print one JSON document per row, one per line, the totals last; short for --format ndjson.")
    var ndjson = false

    @Flag(help: "Print a header line, then one line per row; short for --format csv.") var csv = false

    @Flag(help: "Print one self-contained page with charts, to mail or to open; short for --format html.")
    var html = false

    @Flag(help: "Draw with plain ASCII, the default if the output is not a terminal.") var ascii = false

    var flags: [(Bool, ReportFormat)] { [(json, .json), (ndjson, .ndjson), (csv, .csv), (html, .html)] }

    var chosenFormat: ReportFormat { flags.first(where: \.0)?.1 ?? format ?? .table }

    /// Writes a report to stdout in the chosen format and, if it found nothing, a note naming the database.
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
}
