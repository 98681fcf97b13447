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
