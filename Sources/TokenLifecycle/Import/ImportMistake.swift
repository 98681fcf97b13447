internal import DeliveryModel
internal import Foundation

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
    case pushKeys = "push_keys"
    // Lines
    case notUTF8 = "not_utf8"
    case fieldCount = "field_count"
    case repeatedHeader = "repeated_header"
    case commaAfterObject = "comma_after_object"
    case wordsForNothing = "words_for_nothing"
    case unreadColumn = "unread_column"
}

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
        case .pushKeys:
            "p256dh and auth are not the keys of a Web Push subscription\(place), 65 and 16 bytes as base64url: the tokens were read "
                + "without them"
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

extension ImportMistake {
    /// Words that databases, languages and spreadsheets write for a missing value.
    private static let nothing: Set<String> = [
        "null", "(null)", "<null>", "[null]", "nil", "<nil>", "none", "undefined", "nan", "nat", "n/a",
        "#n/a", "na", "\\n", "-",
    ]

    static func isWordForNothing(_ text: String) -> Bool {
        text.utf8.count <= 9 && nothing.contains(text.lowercased())
    }

    /// The known mistake because of which a text is not a time; `nil` if it is another.
    ///
    /// - Parameter now: the latest possible time.
    static func ofTime(_ text: String, now: Instant) -> ImportMistake? {
        if let number = Double(text.replacing(",", with: ".")) { return ofNumber(number, text, now: now) }
        guard Instant(imported: text) == nil else { return nil }
        let digits = text.filter(\.isNumber)
        let groups: [Substring] = text.split { !$0.isNumber }
        if digits.count >= 10, text.allSatisfy({ $0.isNumber || ",.' \u{A0}\u{202F}’".contains($0) }),
            groups.dropFirst().allSatisfy({ $0.count == 3 })
        {
            return .groupedDigits
        }
        let withZone = [text + "Z", text + ":00Z", text + "T00:00:00Z"]
        if withZone.contains(where: { Instant(rfc3339: $0) != nil }) { return .timesWithoutZone }
        // 01.03.2026 09:30, 3/1/26, Mar 1 2026, Sun Mar 01 2026 10:00:00 GMT+0100
        return digits.count >= 3 && text.utf8.count >= 6 ? .localTimes : nil
    }

    private static func ofNumber(_ number: Double, _ text: String, now: Instant) -> ImportMistake? {
        if text.contains(where: { "eE".contains($0) }) { return .roundedNumbers }
        let first = Double(Instant.earliestPosted.millisecondsSinceEpoch)
        // Ten years are left for wrong clocks, which are another mistake.
        let milliseconds = first...Double((now + .days(3_650)).millisecondsSinceEpoch)
        if milliseconds.contains(number * 1_000) { return .seconds }
        if milliseconds.contains(number / 1_000) { return .microseconds }
        if milliseconds.contains(number / 1_000_000) { return .nanoseconds }
        // Days since the end of 1899.
        return (30_000..<70_000).contains(number) ? .spreadsheetDates : nil
    }

    /// The known mistake because of which a text is not a token of this issuer; `nil` if it is another.
    static func ofValue(_ text: String, issuer: String) -> ImportMistake? {
        if let first = text.first, "'\"=`".contains(first) { return .quotedValues }
        if let first = text.first, "{[".contains(first) { return .jsonValues }
        if text.hasPrefix("https://") { return issuer == "webpush" ? nil : .webPushValues }
        if isContact(text) { return .contactValues }
        if Double(text.replacing(",", with: ".")) != nil, text.contains(where: { "eE".contains($0) }),
            text.contains("+")
        {
            return .roundedNumbers
        }
        if text.allSatisfy(\.isHexDigit) { return issuer == "apns" ? nil : .hexValues }
        guard issuer == "apns" else { return nil }
        if text.contains(":"), text.utf8.count > 100 { return .fcmValues }
        let base64 = text.utf8.allSatisfy { UInt8.base64.contains($0) }
        return base64 && (text.hasSuffix("=") || [43, 44].contains(text.utf8.count)) ? .base64Values : nil
    }

    private static func isContact(_ text: String) -> Bool {
        let digits = text.dropFirst()
        if text.hasPrefix("+") {
            return digits.count >= 7 && digits.allSatisfy { $0.isNumber || " -()/".contains($0) }
        }
        return text.contains("@") && text.contains(".") && !text.contains(":")
    }

    /// Whether a column of this name often marks tokens that are no longer in use.
    static func marksDisuse(_ column: String) -> Bool {
        let words = [
            "invalid", "unsubscribed", "subscribed", "disabled", "enabled", "active", "inactive", "deleted",
            "revoked", "expired", "uninstalled", "opt_out", "opted_out", "optout", "opt_in", "opted_in",
            "optin", "notification_types", "bounced", "is_valid", "valid", "unregistered", "status",
        ]
        let name = column.replacing("-", with: "_").replacing(" ", with: "_")
        return words.contains { word in
            name == word || name.hasPrefix(word + "_") || name.hasSuffix("_" + word)
        }
    }
}

extension UInt8 {
    fileprivate static let base64 = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=".utf8)
}
