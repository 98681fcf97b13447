/// The form of a log or export that `landfall post` reads line by line.
public enum LineFormat: String, CaseIterable, Sendable {
    case gorushLog = "gorush-log"
    case gaurunLog = "gaurun-log"
    case sns
    case fcmBigQuery = "fcm-bigquery"
    case events
    case csv
}

/// Translates lines, without their line breaks. What it keeps between lines is from line 1, such as a header.
public struct LineTranslator: Sendable {
    public init(_ format: LineFormat) {}

    public mutating func read(line: [UInt8], number: Int) -> [PresetItem] {
        guard !line.isEmpty else { return [] }
        guard line.first == UInt8(ascii: "{") else {
            return [.unread(code: "invalid_json", detail: "the line is not a JSON object", posted: line)]
        }
        return [.event(line)]
    }

    /// What is left after the last line: a record of a CSV whose quotation mark is never closed.
    public mutating func finish() -> [PresetItem] { [] }
}
