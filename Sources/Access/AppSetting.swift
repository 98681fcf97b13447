internal import DeliveryModel
internal import Trust

/// A setting of an app, kept in `app.settings` if set. Commands see changes at once, servers within seconds.
public struct AppSetting: Sendable {
    /// The form of the value in JSON.
    public enum Form: Sendable {
        case wholeNumber, number, word, words
    }

    /// `stale_after_days`
    public let name: String
    public let form: Form
    /// The default as people write it; empty for an empty list.
    public let defaultText: String
    /// The meaning in one sentence.
    public let summary: String
    /// The valid values, in words that follow "must be".
    public let expectation: String
    /// Returns the value in its normal form; `nil` if the text is not a valid value of this setting.
    let parse: @Sendable (String) -> String?

    public static let all: [AppSetting] = [
        .wholeNumber(
            "stale_after_days", SweepRules().staleAfterDays, SweepRules.leastStaleAfterDays...3_650,
            "Days of silence after which a sweep makes a token stale."),
        .wholeNumber(
            "sweep_after_days", SweepRules().sweepAfterDays, 1...3_650,
            "Days that a token stays stale before a sweep retires it."),
        .wholeNumber(
            "breaker_minimum", BreakerRules().minimum, 0...1_000_000_000,
            "Responses must take at least this many tokens out of use within ten minutes to open the breaker."
        ),
        AppSetting(
            name: "breaker_share", form: .number, defaultText: "\(BreakerRules().share)",
            summary: "Share of the attempted tokens that must surely be exceeded for the breaker to open.",
            expectation: "a share from 0 to 1, such as 0.3",
            parse: { text in Double(text).flatMap { (0...1).contains($0) ? "\($0)" : nil } }),
        .wholeNumber(
            "device_quota", TrustRules().deviceQuota, 0...1_000_000_000,
            "Unmatched events, and new installations, that devices may post in an hour, if that is more than the app's responses of the past day."
        ),
        AppSetting(
            name: "providers", form: .words, defaultText: "",
            summary: "Additional words that the senders of this app use as provider.",
            expectation:
                "words separated by commas, each of at most 32 lowercase letters, digits and '_'",
            parse: words),
        AppSetting(
            name: "cors_origins", form: .words, defaultText: "",
            summary:
                "Origins of the web pages and service workers that may post with a device key of this app.",
            expectation:
                "origins separated by commas, each a scheme and a host in lowercase as browsers send them, such as "
                + "https://shop.example; or * for every page of the web",
            parse: origins),
        .choice(
            "accounts", TrustRules().accounts,
            "Whether account and tags from a device count only with a proof of the app's backend: verified, or trusted (always)."
        ),
        .choice(
            "credentials", TrustRules().credentials,
            "Whether a device must show the credential of its installation: off, observe (others are counted) or required."
        ),
        .choice(
            "receipts", TrustRules().receipts,
            "Whether device events must carry a receipt that the sender signed: off, observe (unsigned ones count and are reported) or required."
        ),
    ]

    public static func named(_ name: String) throws(AccessError) -> AppSetting {
        guard let setting = all.first(where: { $0.name == name }) else { throw .unknownSetting(name) }
        return setting
    }

    /// Returns the value as stored in `app.settings`.
    public func json(_ text: String) throws(AccessError) -> String {
        guard let value = parse(text) else { throw .invalidSetting(name, expectation: expectation) }
        guard form == .words || form == .word else { return value }
        guard form == .words else { return "\"\(value)\"" }
        return "[" + value.split(separator: ",").map { "\"\($0)\"" }.joined(separator: ",") + "]"
    }

    private static func wholeNumber(
        _ name: String, _ standard: Int64, _ range: ClosedRange<Int64>, _ summary: String
    ) -> AppSetting {
        AppSetting(
            name: name, form: .wholeNumber, defaultText: "\(standard)", summary: summary,
            expectation: "a whole number from \(range.lowerBound) to \(range.upperBound)",
            parse: { text in Int64(text).flatMap { range.contains($0) ? "\($0)" : nil } })
    }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable & SendableMetatype>(
        _ name: String, _ standard: Choice, _ summary: String
    ) -> AppSetting {
        let names = Choice.allCases.map(\.rawValue)
        return AppSetting(
            name: name, form: .word, defaultText: standard.rawValue, summary: summary,
            expectation: "one of \(names.joined(separator: ", "))",
            parse: { text in names.contains(text) ? text : nil })
    }

    @Sendable
    private static func words(_ text: String) -> String? {
        list(text) { word in
            (1...FieldLimits.provider).contains(word.count)
                && word.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "_") }
        }?.joined(separator: ",")
    }

    @Sendable
    private static func origins(_ text: String) -> String? {
        let every = WebOrigins.everyOrigin
        // With every origin, the others would have no meaning.
        guard let names = list(text, isValid: { $0 == every || WebOrigins.isOrigin($0) }),
            names == [every] || !names.contains(every)
        else { return nil }
        return names.joined(separator: ",")
    }

    /// The items of a list separated by commas, without repeats; `nil` if one is not valid.
    private static func list(_ text: String, isValid: (String) -> Bool) -> [String]? {
        var items: [String] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let item = part.filter { $0 != " " }
            guard isValid(item) else { return nil }
            if !items.contains(item) { items.append(item) }
        }
        return items
    }
}
