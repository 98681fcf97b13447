public import Basics

/// The form of a log or export that `landfall post` reads line by line.
public enum LineFormat: String, CaseIterable, Sendable {
    case gorushLog = "gorush-log"
    case gaurunLog = "gaurun-log"
    case sns
    case fcmBigQuery = "fcm-bigquery"
    case events
    case csv

    /// What a line of it is, in a few words, for help.
    public var summary: String {
        switch self {
        case .gorushLog: "gorush's access and error logs, with log.format: json"
        case .gaurunLog: "gaurun's access and error logs"
        case .sns: "the delivery status of Amazon SNS, from CloudWatch Logs"
        case .fcmBigQuery: "FCM's message data, exported from BigQuery as JSON"
        case .events: "items in the form of POST /v1/events, one per line"
        case .csv: "the same as CSV, with the names of the fields in the first line"
        }
    }

    /// Whether a line that has no line break is whole, as JSON is that ends with its last bracket. More may
    /// follow any line of a CSV.
    public func isWhole(_ line: [UInt8]) -> Bool {
        guard self != .csv, let last = line.last(where: { ![0x20, 0x09, 0x0D].contains($0) }) else {
            return false
        }
        let isClosed = last == UInt8(ascii: "}") || last == UInt8(ascii: "]")
        return isClosed && JSONCursor.records(in: line).allSatisfy(\.isRead)
    }
}

/// Translates lines, without their line breaks, into items. A line without items says nothing about the
/// outcome of a push, such as other lines of a log.
///
/// What it keeps between lines is the header of a CSV, from its first line, and a field with line breaks.
public struct LineTranslator: Sendable {
    private let format: LineFormat
    private let now: Instant
    private var csv = CSVLines()

    /// - Parameter now: the send time of pushes whose line states none.
    public init(_ format: LineFormat, now: Instant = .now) { (self.format, self.now) = (format, now) }

    /// - Parameter number: from 1.
    public mutating func read(line: [UInt8], number: Int) -> [PresetItem] {
        if format == .csv { return csv.read(line) }
        guard line.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) else { return [] }
        switch format {
        case .events: return [.event(line)]
        case .sns:
            return RecordReader(line, mostItems: .max) { SNSRecords($0, mostItems: .max).items }.items
        case .gorushLog: return GorushLog.read(line, now: now)
        case .gaurunLog: return GaurunLog.read(line)
        case .fcmBigQuery: return FCMExport.read(line)
        case .csv: return []
        }
    }

    /// What is left after the last line: a record of a CSV whose quotation mark is never closed.
    public mutating func finish() -> [PresetItem] { csv.finish() }
}
