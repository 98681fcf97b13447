/// A mistake of a whole file, found in its lines. The plan names each once, with the fix.
public enum ImportMistake: String, CaseIterable, Sendable {
    // Times
    case seconds
    case microseconds
    case nanoseconds
    case roundedNumbers = "rounded_numbers"
    case spreadsheetDates = "spreadsheet_dates"
    case groupedDigits = "grouped_digits"
    case timesWithoutZone = "times_without_zone"
    case localTimes = "local_times"
    // Values
    case fcmValues = "fcm_values"
    case webPushValues = "web_push_values"
    case hexValues = "hex_values"
    case base64Values = "base64_values"
    case jsonValues = "json_values"
    case contactValues = "contact_values"
    case quotedValues = "quoted_values"
    case cutValues = "cut_values"
    case sharedValues = "shared_values"
    // Lines
    case notUTF8 = "not_utf8"
    case fieldCount = "field_count"
    case repeatedHeader = "repeated_header"
    case commaAfterObject = "comma_after_object"
    case wordsForNothing = "words_for_nothing"
    case unreadColumn = "unread_column"
}

/// A mistake as found in a file.
public struct FoundMistake: Hashable, Sendable {
    public let mistake: ImportMistake
    /// The number of lines with it; 0 if it concerns none in particular.
    public internal(set) var lines: Int64
    /// The first of them, counted as an editor counts lines.
    public private(set) var firstLine: Int?
    /// More about it, such as a width or the name of a column; never a token.
    private(set) var detail = ""

    /// The mistake and its fix, as a sentence without a period.
    ///
    /// - Parameter place: the affected lines, appended to the mistake.
    public func sentence(at place: String) -> String {
        switch mistake {
        case .seconds:
            "registered_at is in seconds\(place): multiply it by 1,000, or write it as 2026-03-01T09:30:00Z"
        case .microseconds: "registered_at is in microseconds\(place): divide it by 1,000"
        case .nanoseconds: "registered_at is in nanoseconds\(place): divide it by 1,000,000"
        case .roundedNumbers:
            "a spreadsheet has rounded numbers to a few digits, such as 1.79543E+12\(place): format the column as text or as a number "
                + "without decimals before you export the table"
        case .spreadsheetDates:
            "registered_at is a number of days, as spreadsheets keep dates\(place): format the column as 2026-03-01 09:30:00 and append Z"
        case .groupedDigits:
            "registered_at has separators between groups of digits\(place): write the digits only"
        case .timesWithoutZone:
            "registered_at has no time zone\(place): append Z if it is UTC, or the offset, as in 2026-03-01T09:30:00+01:00"
        case .localTimes:
            "registered_at is in a local format\(place): write 2026-03-01T09:30:00Z, or milliseconds since 1970"
        case .fcmValues: "the values look like FCM's tokens\(place): use --kind fcm, or add a column kind"
        case .webPushValues:
            "the values are endpoints of Web Push\(place): use --kind web_push, or add a column kind"
        case .hexValues:
            "the values look like APNs tokens, which are hex digits\(place): omit --kind, or add a column kind"
        case .base64Values: "the values look like Base64\(place): APNs tokens are written as hex digits"
        case .jsonValues: "the values are JSON documents\(place): export the token alone"
        case .contactValues:
            "the values are e-mail addresses or telephone numbers\(place): leave out the rows of other channels"
        case .quotedValues: "the values have quotes or an equals sign around them\(place): remove these"
        case .cutValues:
            "values have the same length, \(detail), which is a typical width of a column\(place): they are probably cut off. "
                + "Export them from a complete source, or leave them out"
        case .sharedValues:
            "values belong to more than one device, \(detail)\(place): such a value is usually a placeholder, not a token"
        case .notUTF8:
            "the text is not UTF-8\(place): save the file as UTF-8, or convert it with iconv -f WINDOWS-1252 -t UTF-8"
        case .fieldCount:
            "there are more or fewer fields than columns\(place): put quotes around fields that contain the separator"
        case .repeatedHeader:
            "the header is repeated\(place): remove these lines; the others are not affected"
        case .commaAfterObject: "there is a comma after the JSON object\(place): remove it (sed 's/,$//')"
        case .wordsForNothing:
            "fields contain a word for a missing value, such as NULL or \\N\(place): they were read as empty"
        case .unreadColumn:
            "the column \(detail) is not read, but such a column often marks tokens that are no longer in use: leave their rows out"
        }
    }
}

/// Counts the mistakes of a file while its lines are read.
struct MistakeCounts {
    private(set) var found: [ImportMistake: FoundMistake] = [:]

    mutating func count(_ mistake: ImportMistake, line: Int) {
        found[mistake, default: FoundMistake(mistake: mistake, lines: 0, firstLine: line)].lines += 1
    }

    mutating func add(_ mistake: FoundMistake) {
        found[mistake.mistake] = mistake
    }

    /// The mistakes in the order of the cases.
    var all: [FoundMistake] { ImportMistake.allCases.compactMap { found[$0] } }
}
