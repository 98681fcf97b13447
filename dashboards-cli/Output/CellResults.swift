internal import ArgumentParser
internal import DeliveryModel
internal import Rendering

/// The results of a command, cell by cell. In a table, each result is written at once. In JSON and CSV, the
/// results of several cells are one document, which is written at the end.
final class CellResults {
    private let output: OutputOptions?
    private let isOneDocument: Bool
    /// The cell of the next result; `nil` if there is only one.
    var cell: CellNumber?
    private var entries: [(cell: CellNumber, json: JSONValue, csv: CSVText?)] = []

    /// - Parameter output: `nil` if the command has only one format, and writes it by itself.
    init(_ output: OutputOptions?, ofSeveral: Bool) {
        self.output = output
        isOneDocument = ofSeveral && output.map { $0.chosenFormat != .table } ?? false
    }

    func write(_ result: some CommandResult) throws {
        try write(json: result.document, csv: result.csv, table: { result.lines($0) })
    }

    func write(json: JSONValue, csv: CSVText, table: (OutputStyle) -> [String]) throws {
        if isOneDocument, let cell { return entries.append((cell, json.of(cell), csv)) }
        try output?.write(json: json.of(cell), csv: csv, table: table)
    }

    /// Adds the error of the cell, unless it has a result.
    func add(_ error: any Error) {
        guard let cell, entries.last?.cell != cell else { return }
        let text = (error as? ExitCode).map { "exit code \($0.rawValue)" } ?? "\(error)"
        entries.append((cell, JSONValue.object([.init("error", .string(text))]).of(cell), nil))
    }

    /// Writes `{"cells":[{"cell":0,…},{"cell":3,"error":"…"}]}`, or in CSV the rows, each with its cell.
    func finish() throws {
        guard isOneDocument else { return }
        let rows = entries.compactMap { entry in entry.csv.map { (Int64(entry.cell.number), $0) } }
        try output?.write(
            json: ["cells": .array(entries.map { $0.json })], csv: CSVText("cell", of: rows),
            table: { _ in [] })
    }
}
