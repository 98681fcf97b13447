internal import Foundation

/// The result of a benchmark, as it is printed.
protocol PrintedReport: Encodable {
    var lines: [String] { get }
}

extension PrintedReport {
    /// The lines, or the document that `--json` prints.
    func text(asJSON isJSON: Bool) throws -> String {
        guard isJSON else { return lines.joined(separator: "\n") }
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
