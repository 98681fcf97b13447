public import DeliveryModel

/// What became of the lines of an import, or would become of them.
public struct ImportCounts: Hashable, Sendable {
    public private(set) var lines: Int64 = 0
    public private(set) var verdicts: [ImportVerdict: Int64] = [:]
    /// Of lines that are invalid.
    public private(set) var refusals: [ImportRefusal.Code: Int64] = [:]
    /// Ended between two batches because it was asked to.
    public internal(set) var wasStopped = false

    public init() {}

    public subscript(verdict: ImportVerdict) -> Int64 { verdicts[verdict] ?? 0 }

    /// Lines that write something.
    public var changes: Int64 { verdicts.filter { $0.key.change != nil }.reduce(0) { $0 + $1.value } }

    mutating func count(_ line: ImportedLine) {
        lines += 1
        verdicts[line.verdict, default: 0] += 1
        if let refusal = line.refusal { refusals[refusal.code, default: 0] += 1 }
    }
}

/// What became of one line, or would become of it.
public struct ImportedLine: Hashable, Sendable {
    /// Counted from 1, the header included.
    public let number: Int
    public let verdict: ImportVerdict
    /// Why it is invalid.
    public let refusal: ImportRefusal?
}
