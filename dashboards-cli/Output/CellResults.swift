internal import ArgumentParser
internal import DeliveryModel
internal import Rendering

/// What a command found, cell by cell. In a table, each result is written at once. In JSON and CSV, the
/// results of several cells are one document, which is written at the end.
final class CellResults {
    private let output: OutputOptions?
    private let isOneDocument: Bool
    /// The cell of the next result; `nil` if there is only one.
    var cell: CellNumber?
    private var entries: [(cell: CellNumber, document: JSONValue)] = []
    private var rows: [(number: Int64, csv: CSVText)] = []

    /// - Parameter output: `nil` if the command has only one format, and writes it by itself.
    init(_ output: OutputOptions?, ofSeveral: Bool) {
        self.output = output
        isOneDocument = ofSeveral && output.map { $0.chosenFormat != .table } ?? false
    }

    func write(_ result: some CommandResult) throws {
        try write(json: result.document, csv: result.csv, table: { result.lines($0) })
    }

    func write(json: JSONValue, csv: CSVText, table: (OutputStyle) -> [String]) throws {
        let document = cell.map(json.of) ?? json
        if isOneDocument, let cell {
            entries.append((cell, document))
            rows.append((Int64(cell.number), csv))
        } else {
            try output?.write(json: document, csv: csv, table: table)
        }
    }

    /// Adds the error of the cell, unless it has a result.
    func add(_ error: any Error) {
        guard let cell, entries.last?.cell != cell else { return }
        let code = (error as? ExitCode).map { "exit code \($0.rawValue)" }
        let document: JSONValue = ["error": .string(code ?? "\(error)")]
        entries.append((cell, document.of(cell)))
    }

    /// Writes the document of several cells: `{"cells":[{"cell":0,…},{"cell":3,"error":"…"}]}`. In CSV, each
    /// row has its cell.
    func finish() throws {
        guard isOneDocument, let output else { return }
        let document: JSONValue = ["cells": .array(entries.map { $0.document })]
        try output.write(json: document, csv: CSVText("cell", of: rows), table: { _ in [] })
    }
}

extension JSONValue {
    /// The object with the number of the cell that it is about.
    fileprivate func of(_ cell: CellNumber) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object([.init("cell", .integer(Int64(cell.number)))] + members)
    }
}
