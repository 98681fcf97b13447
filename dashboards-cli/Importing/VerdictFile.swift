internal import Foundation
internal import Reports
internal import TokenLifecycle

/// Writes what became of each line: CSV, or JSON lines where the name ends in `.ndjson` or `.jsonl`. Never a token.
final class VerdictFile {
    private let handle: FileHandle
    private let path: String
    private let isJSON: Bool
    private var text = ""

    init(_ path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw ImportProblem.notWritable(path) }
        self.handle = handle
        self.path = path
        isJSON = path.hasSuffix(".ndjson") || path.hasSuffix(".jsonl")
        if !isJSON { text = CSVText(header: ["line", "verdict", "code", "detail"]).text }
    }

    func write(_ line: ImportedLine) throws {
        let (code, detail) = (line.refusal?.code.rawValue, line.refusal?.detail)
        if isJSON {
            let members: [String: JSONText] = [
                "line": .number(line.number), "verdict": .text(line.verdict.rawValue), "code": .text(code),
                "detail": .text(detail),
            ]
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            text += String(decoding: try encoder.encode(members), as: UTF8.self) + "\n"
        } else {
            let fields: [CSVField] = [
                .integer(Int64(line.number)), .text(line.verdict.rawValue), .text(code ?? ""), .text(detail ?? ""),
            ]
            text += fields.map(\.encoded).joined(separator: ",") + "\r\n"
        }
        if text.utf8.count > 64 * 1_024 { try flush() }
    }

    func flush() throws {
        do {
            try handle.write(contentsOf: Data(text.utf8))
        } catch {
            throw ImportProblem.notWritable(path)
        }
        text = ""
    }
}

/// A member of one line of JSON.
private enum JSONText: Encodable {
    case number(Int)
    case text(String?)

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .number(let number): try container.encode(number)
        case .text(let text?): try container.encode(text)
        case .text(nil): try container.encodeNil()
        }
    }
}
