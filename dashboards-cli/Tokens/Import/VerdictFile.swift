internal import DeliveryModel
internal import Documents
internal import Foundation
internal import Rendering
internal import TokenLifecycle

/// Writes the verdict on each line: CSV, or JSON lines if the name ends in `.ndjson` or `.jsonl`. It never writes a token.
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
        let (code, detail) = (line.rejection?.code.rawValue, line.rejection?.detail)
        if isJSON {
            let reason = [("code", code), ("detail", detail)].compactMap { name, text in
                text.map { JSONValue.Member(name, .string($0)) }
            }
            let verdict: [JSONValue.Member] = [
                .init("line", .integer(Int64(line.number))), .init("verdict", .string(line.verdict.rawValue)),
            ]
            text += JSONValue.object(reason + verdict).lineText + "\n"
        } else {
            let fields: [CSVField] = [
                .integer(Int64(line.number)), .text(line.verdict.rawValue), .text(code ?? ""),
                .text(detail ?? ""),
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
