public import Basics

/// One setting: its names, its valid values, and the property of `Values` that it sets.
public struct Setting<Values: Sendable>: Sendable {
    public enum Secrecy: Sendable {
        case open
        /// Never shown.
        case secret
        /// A connection string: shown without its password.
        case password
    }

    /// The type of the value in `config --json`.
    public enum Form: Sendable {
        case text, number, toggle
        /// A list of ``CellList``.
        case cells
    }

    /// The name with dots, as in the file: `limits.items`.
    public let name: String
    /// Such as `--port`, for the few that have one.
    public let flag: String?
    public let form: Form
    /// The unit of the value; empty if it has none.
    public let unit: String
    public let secrecy: Secrecy
    public let summary: String
    /// The valid values, in words that follow "must be".
    public let expectation: String
    /// The value as people write it.
    public let read: @Sendable (Values) -> String
    /// Returns `false` if the text is not a valid value of this setting.
    public let write: @Sendable (String, inout Values) -> Bool
    /// The problems of a text of the right form, as sentences; none if ``expectation`` is enough.
    let problems: @Sendable (String) -> [String]
    /// The name of a setting that must not be given next to this one.
    let excluded: String?

    /// `LANDFALL_LIMITS_ITEMS`
    public var environmentVariable: String {
        "LANDFALL_" + name.uppercased().replacing(".", with: "_")
    }

    /// The value as it may be shown.
    public func shown(_ text: String) -> String {
        guard !text.isEmpty else { return "" }
        return switch secrecy {
        case .open: text
        case .secret: "***"
        case .password: form == .cells ? CellList.redacted(text) : ConnectionString.redacted(text)
        }
    }
}

/// The kinds of values. Each receives the key path of its value, so that the default is defined in one place.
extension Setting {
    public typealias Place<Value> = any WritableKeyPath<Values, Value> & Sendable

    public static func text(
        _ name: String, _ place: Place<String>, flag: String? = nil, secrecy: Secrecy = .open,
        _ summary: String
    ) -> Setting {
        value(
            name, place, flag: flag, secrecy: secrecy, expecting: "a string", summary, text: { $0 },
            parse: { $0 })
    }

    public static func number(
        _ name: String, _ place: Place<Int>, flag: String? = nil, _ range: ClosedRange<Int>, _ unit: String,
        _ summary: String
    ) -> Setting {
        value(
            name, place, flag: flag, form: .number, unit: unit, expecting: wholeNumber(in: range), summary,
            text: { "\($0)" }, parse: { Int($0, in: range) })
    }

    public static func days(
        _ name: String, _ place: Place<Span>, _ range: ClosedRange<Int>, _ summary: String
    ) -> Setting {
        value(
            name, place, form: .number, unit: "days", expecting: wholeNumber(in: range), summary,
            text: { "\($0.milliseconds / Span.days(1).milliseconds)" },
            parse: { Int($0, in: range).map { .days(Int64($0)) } })
    }

    /// Accepts fractions of a second, down to milliseconds.
    public static func seconds(
        _ name: String, _ place: Place<Duration>, _ range: ClosedRange<Double>, _ summary: String
    ) -> Setting {
        value(
            name, place, form: .number, unit: "seconds",
            expecting: "a number of seconds from \(plain(range.lowerBound)) to \(plain(range.upperBound))",
            summary,
            text: { plain($0 / .seconds(1)) },
            parse: { text in
                guard let seconds = Double(text), range.contains(seconds) else { return nil }
                return .milliseconds(Int64((seconds * 1_000).rounded()))
            })
    }

    public static func toggle(_ name: String, _ place: Place<Bool>, _ summary: String) -> Setting {
        value(
            name, place, form: .toggle, expecting: "true or false", summary, text: { "\($0)" },
            parse: { text in
                switch text.lowercased() {
                case "true", "on", "yes", "1": true
                case "false", "off", "no", "0": false
                default: nil
                }
            })
    }

    public static func choice<Choice: RawRepresentable<String> & CaseIterable & SendableMetatype>(
        _ name: String, _ place: Place<Choice>, flag: String? = nil, _ summary: String
    ) -> Setting {
        let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        return value(
            name, place, flag: flag, expecting: "one of \(names)", summary, text: \.rawValue,
            parse: { Choice(rawValue: $0.lowercased()) })
    }

    /// A setting of any other kind.
    ///
    /// - Parameters:
    ///   - expectation: the valid values, in words that follow "must be".
    ///   - parse: returns `nil` if the text is not a valid value.
    ///   - problems: the problems of a text that is not valid, if they can be told apart.
    ///   - excluded: the name of a setting that must not be given next to this one.
    public static func value<Value>(
        _ name: String, _ place: Place<Value>, flag: String? = nil, form: Form = .text, unit: String = "",
        secrecy: Secrecy = .open, expecting expectation: String, _ summary: String,
        text: @escaping @Sendable (Value) -> String, parse: @escaping @Sendable (String) -> Value?,
        problems: @escaping @Sendable (String) -> [String] = { _ in [] }, excluding excluded: String? = nil
    ) -> Setting {
        Setting(
            name: name, flag: flag, form: form, unit: unit, secrecy: secrecy, summary: summary,
            expectation: expectation, read: { text($0[keyPath: place]) },
            write: { text, settings in
                guard let value = parse(text) else { return false }
                settings[keyPath: place] = value
                return true
            }, problems: problems, excluded: excluded)
    }

    private static func wholeNumber(in range: ClosedRange<Int>) -> String {
        "a whole number from \(range.lowerBound) to \(range.upperBound)"
    }

    /// Formats whole numbers without a fraction.
    public static func plain(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? "\(number)"
    }
}

extension Int {
    fileprivate init?(_ text: String, in range: ClosedRange<Int>) {
        guard let number = Int(text), range.contains(number) else { return nil }
        self = number
    }
}
