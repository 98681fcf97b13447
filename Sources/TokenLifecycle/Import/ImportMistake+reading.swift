internal import DeliveryModel
internal import Foundation
internal import Instants

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
