internal import Access
internal import ArgumentParser
internal import Documents
internal import Foundation
internal import Rendering
internal import Reports

enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case table
    case json
    case csv
}

/// The output format of a result.
struct OutputOptions: ParsableArguments {
    @Option(help: "The output format: table, json or csv.")
    var format: OutputFormat?

    @Flag(help: "Print one JSON document; short for --format json.")
    var json = false

    @Flag(help: "Print a header line, then one line per row; short for --format csv.")
    var csv = false

    @Flag(help: "Draw with plain ASCII, the default if the output is not a terminal.")
    var ascii = false

    func validate() throws {
        let asked = [format, json ? .json : nil, csv ? .csv : nil].compactMap(\.self)
        guard Set(asked).count <= 1 else {
            throw ValidationError("Choose one format: \(asked.map(\.rawValue).joined(separator: " or ")).")
        }
    }

    var chosenFormat: OutputFormat {
        if json { return .json }
        return csv ? .csv : format ?? .table
    }

    /// Writes a result to stdout in the chosen format.
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
        var members = [JSONValue.Member(name, columns.json(rows))]
        if let app { members.insert(JSONValue.Member("app", .string(app.slug)), at: 0) }
        try write(
            json: .object(members), csv: columns.csv(rows),
            table: { columns.table(rows, $0).lines($0) })
    }

    /// The style for this program's stdout.
    var style: OutputStyle { .stdout(asksForASCII: ascii) }
}

/// Writes a note to stderr, which keeps it out of the result on stdout. Names in it are escaped,
/// so that they cannot control the terminal.
func note(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
        printable(String($0)) + "\n"
    }
    FileHandle.standardError.write(Data(lines.joined().utf8))
}
