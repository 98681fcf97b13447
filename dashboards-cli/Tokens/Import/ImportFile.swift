internal import DeliveryModel
internal import Foundation
internal import Rendering
internal import TokenLifecycle

/// A file that is read piece by piece; `-` is standard input, and a file whose name ends in `.gz` is
/// decompressed by gzip.
final class ImportFile {
    private static let pieceBytes = 256 * 1_024

    private let handle: FileHandle
    private let gzip: Process?
    /// The file's size in bytes; `nil` for standard input or a compressed file.
    let size: Int64?
    private(set) var readBytes: Int64 = 0

    init(_ path: String) throws {
        guard path != "-" else {
            (handle, gzip, size) = (.standardInput, nil, nil)
            return
        }
        let problem = CommandProblem("\(path) does not exist or cannot be read; - reads standard input")
        guard FileManager.default.isReadableFile(atPath: path) else { throw problem }
        guard path.hasSuffix(".gz") else {
            guard let handle = FileHandle(forReadingAtPath: path) else { throw problem }
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            (self.handle, gzip, size) = (handle, nil, (attributes[.size] as? NSNumber)?.int64Value)
            return
        }
        let gzip = Process()
        gzip.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        gzip.arguments = ["gzip", "-dc", "--", path]
        let pipe = Pipe()
        gzip.standardOutput = pipe
        try gzip.run()
        (handle, self.gzip, size) = (pipe.fileHandleForReading, gzip, nil)
    }

    deinit {
        // The reader stopped early and does not need the rest.
        if let gzip, gzip.isRunning { gzip.terminate() }
    }

    /// The next bytes; empty at the end.
    func read() throws -> [UInt8] {
        let bytes = try handle.read(upToCount: Self.pieceBytes) ?? Data()
        readBytes += Int64(bytes.count)
        if bytes.isEmpty, let gzip {
            gzip.waitUntilExit()
            guard gzip.terminationStatus == 0 else {
                throw CommandProblem("the name of the file ends in .gz, but gzip could not unpack all of it")
            }
        }
        return Array(bytes)
    }
}

/// Writes the verdict on each line, no tokens: CSV, or JSON lines if the name ends in `.ndjson` or `.jsonl`.
final class VerdictFile {
    private let handle: FileHandle
    private let path: String
    private let isJSON: Bool
    private var text = ""

    init(_ path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw VerdictFile.notWritable(path) }
        self.handle = handle
        self.path = path
        isJSON = path.hasSuffix(".ndjson") || path.hasSuffix(".jsonl")
        if !isJSON { text = CSVText(header: ["line", "verdict", "code", "detail"]).text }
    }

    private static func notWritable(_ path: String) -> CommandProblem {
        CommandProblem("the outcomes cannot be written to \(path)")
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
            throw Self.notWritable(path)
        }
        text = ""
    }
}
