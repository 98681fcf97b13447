internal import Foundation

/// A file that is read piece by piece; `-` is standard input, and a file whose name ends in `.gz` is decompressed by gzip.
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
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw ImportProblem.notReadable(path)
        }
        guard path.hasSuffix(".gz") else {
            guard let handle = FileHandle(forReadingAtPath: path) else {
                throw ImportProblem.notReadable(path)
            }
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
            guard gzip.terminationStatus == 0 else { throw ImportProblem.notGzip }
        }
        return Array(bytes)
    }
}

enum ImportProblem: Error, Equatable, CustomStringConvertible {
    case notReadable(String)
    case notGzip
    case notWritable(String)

    var description: String {
        switch self {
        case .notReadable(let path): "\(path) does not exist or cannot be read; - reads standard input"
        case .notGzip: "the name of the file ends in .gz, but gzip could not unpack all of it"
        case .notWritable(let path): "the outcomes cannot be written to \(path)"
        }
    }
}
