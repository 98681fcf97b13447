/// One line of a log, without its line break.
struct LogLine: Equatable, Sendable {
    /// The line; of one longer than ``LineCutter/mostLineBytes``, its beginning.
    let text: [UInt8]
    /// From 1, within its file.
    let number: Int
    var isCut = false

    var isBlank: Bool { text.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }
}

/// Cuts bytes into lines as they are read.
struct LineCutter {
    static let mostLineBytes = 1 << 20

    /// The bytes up to the end of the last line that was cut, and the number of these lines.
    private(set) var offset: Int64 = 0
    private(set) var line = 0
    /// The beginning of the line that has no end yet, and its length so far.
    private var begun: [UInt8] = []
    private var begunBytes = 0

    init() {}

    init(after place: LogPlace) { (offset, line) = (place.offset, place.line) }

    /// The bytes that were read.
    var end: Int64 { offset + Int64(begunBytes) }

    /// Cuts the bytes that follow. After the most lines, it leaves the rest to be read again.
    mutating func cut(_ bytes: ArraySlice<UInt8>, most: Int = .max) -> [LogLine] {
        var lines: [LogLine] = []
        var rest = bytes
        while lines.count < most, let lineBreak = rest.firstIndex(of: 0x0A) {
            extend(by: rest[..<lineBreak])
            rest = rest[(lineBreak + 1)...]
            lines.append(take(breakBytes: 1))
        }
        if lines.count < most { extend(by: rest) }
        return lines
    }

    /// The last line, which has no line break; `nil` if there is none.
    mutating func takeRest() -> LogLine? { begunBytes == 0 ? nil : take(breakBytes: 0) }

    private mutating func extend(by part: ArraySlice<UInt8>) {
        begun += part.prefix(Self.mostLineBytes - begun.count)
        begunBytes += part.count
    }

    private mutating func take(breakBytes: Int) -> LogLine {
        offset += Int64(begunBytes + breakBytes)
        line += 1
        let isCut = begun.count < begunBytes
        // The byte order mark of a file is no part of its first line.
        if line == 1, begun.starts(with: [0xEF, 0xBB, 0xBF]) { begun.removeFirst(3) }
        // Windows' line breaks begin with a carriage return.
        if !isCut, begun.last == 0x0D { begun.removeLast() }
        defer { (begun, begunBytes) = ([], 0) }
        return LogLine(text: begun, number: line, isCut: isCut)
    }
}
