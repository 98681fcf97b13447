public import DeliveryModel

/// The outcome of an import, or of its plan, in lines.
public struct ImportCounts: Hashable, Sendable {
    public private(set) var lines: Int64 = 0
    public private(set) var verdicts: [ImportVerdict: Int64] = [:]
    /// Invalid lines by reason.
    public private(set) var rejections: [ImportRejection.Code: Int64] = [:]
    /// Mistakes of the whole file, each once.
    public internal(set) var mistakes: [FoundMistake] = []
    /// Columns of the header row, or fields of JSON objects, that were ignored.
    public internal(set) var ignoredColumns: [String] = []
    /// The import was stopped between two batches.
    public internal(set) var wasStopped = false

    public init() {}

    public subscript(verdict: ImportVerdict) -> Int64 { verdicts[verdict] ?? 0 }

    /// The number of lines that write something.
    public var changes: Int64 { verdicts.filter(\.key.isWritten).reduce(0) { $0 + $1.value } }

    /// Whether there are lines, and all of them are invalid.
    public var isInvalid: Bool { lines > 0 && self[.invalid] == lines }

    mutating func count(_ line: ImportedLine) {
        lines += 1
        verdicts[line.verdict, default: 0] += 1
        if let rejection = line.rejection { rejections[rejection.code, default: 0] += 1 }
    }
}

public enum ImportProgress: Hashable, Sendable {
    case reading(lines: Int64)
    case deciding(line: Int, of: Int)
}

/// The outcome of one line, or of its plan.
public struct ImportedLine: Hashable, Sendable {
    /// Counted from 1, including the header.
    public let number: Int
    public let verdict: ImportVerdict
    /// The reason the line is invalid.
    public let rejection: ImportRejection?
}

/// The reason a line of an import is invalid. It never quotes the line, which contains a device token.
public struct ImportRejection: Error, Hashable, Sendable {
    public enum Code: String, CaseIterable, Sendable {
        /// Not a CSV record with as many fields as there are columns, or not one JSON object.
        case invalidLine = "invalid_line"
        case missingValue = "missing_value"
        case invalidValue = "invalid_value"
        case missingRegisteredAt = "missing_registered_at"
        case invalidInstant = "invalid_instant"
        case inFuture = "in_future"
        case invalidDeviceID = "invalid_device_id"
        case tooLong = "too_long"
        case invalidField = "invalid_field"
    }

    public let code: Code
    public let detail: String
    /// The mistake of the whole file that most likely caused the rejection.
    let mistake: ImportMistake?

    init(_ code: Code, _ detail: String, _ mistake: ImportMistake? = nil) {
        self.code = code
        self.detail = detail
        self.mistake = mistake
    }

    /// Rejects a line because of a known mistake, with its sentence.
    init(_ code: Code, _ mistake: ImportMistake) {
        self.init(code, FoundMistake(mistake: mistake, lines: 1).sentence(at: ""), mistake)
    }
}
