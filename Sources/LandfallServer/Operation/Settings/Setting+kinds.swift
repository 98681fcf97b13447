internal import DeliveryModel

/// The kinds of values there are. Each takes the place of its value, so that the default stands there and nowhere else.
extension Setting {
    typealias Place<Value> = any WritableKeyPath<SettingValues, Value> & Sendable

    static func text(
        _ name: String, _ place: Place<String>, flag: String? = nil, secrecy: Secrecy = .open,
        _ summary: String
    ) -> Setting {
        value(
            name, place, flag: flag, secrecy: secrecy, expecting: "a text", summary, text: { $0 },
            parse: { $0 })
    }

    static func number(
        _ name: String, _ place: Place<Int>, flag: String? = nil, _ range: ClosedRange<Int>, _ unit: String,
        _ summary: String
    ) -> Setting {
        value(
            name, place, flag: flag, form: .number, unit: unit, expecting: wholeNumber(in: range), summary,
            text: { "\($0)" }, parse: { Int($0, in: range) })
    }

    static func days(
        _ name: String, _ place: Place<Span>, _ range: ClosedRange<Int>, _ summary: String
    ) -> Setting {
        value(
            name, place, form: .number, unit: "days", expecting: wholeNumber(in: range), summary,
            text: { "\($0.milliseconds / Span.days(1).milliseconds)" },
            parse: { Int($0, in: range).map { .days(Int64($0)) } })
    }

    /// Fractions of a second are taken, down to milliseconds.
    static func seconds(
        _ name: String, _ place: Place<Duration>, _ range: ClosedRange<Double>, _ summary: String
    ) -> Setting {
        value(
            name, place, form: .number, unit: "seconds",
            expecting: "a number of seconds from \(plain(range.lowerBound)) to \(plain(range.upperBound))",
            summary,
            text: { plain(Double($0.nanoseconds) / 1_000_000_000) },
            parse: { text in
                guard let seconds = Double(text), range.contains(seconds) else { return nil }
                return .milliseconds(Int64((seconds * 1_000).rounded()))
            })
    }

    static func toggle(_ name: String, _ place: Place<Bool>, _ summary: String) -> Setting {
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

    static func choice<Choice: RawRepresentable<String> & CaseIterable & SendableMetatype>(
        _ name: String, _ place: Place<Choice>, flag: String? = nil, _ summary: String
    ) -> Setting {
        let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        return value(
            name, place, flag: flag, expecting: "one of \(names)", summary, text: \.rawValue,
            parse: { Choice(rawValue: $0.lowercased()) })
    }

    /// Requests per second and burst, or off.
    static func rate(_ name: String, _ place: Place<RateLimit?>, _ summary: String) -> Setting {
        value(
            name, place, expecting: "off, or requests per second and burst, such as 20/100", summary,
            text: { $0.map { "\(plain($0.perSecond))/\($0.burst)" } ?? "off" },
            parse: { text -> RateLimit?? in
                if text.lowercased() == "off" { return .some(nil) }
                let numbers = text.split(separator: "/", omittingEmptySubsequences: false)
                guard numbers.count == 2, let perSecond = Double(numbers[0]), let burst = Int(numbers[1]),
                    (0.001...1_000_000).contains(perSecond), (1...1_000_000).contains(burst)
                else { return nil }
                return RateLimit(perSecond: perSecond, burst: burst)
            })
    }

    /// A kind of its own.
    ///
    /// - Parameters:
    ///   - expectation: what would be right, in words that stand behind "must be".
    ///   - parse: nil when the text is no such value.
    static func value<Value>(
        _ name: String, _ place: Place<Value>, flag: String? = nil, form: Form = .text, unit: String = "",
        secrecy: Secrecy = .open, expecting expectation: String, _ summary: String,
        text: @escaping @Sendable (Value) -> String, parse: @escaping @Sendable (String) -> Value?
    ) -> Setting {
        Setting(
            name: name, flag: flag, form: form, unit: unit, secrecy: secrecy, summary: summary,
            expectation: expectation, read: { text($0[keyPath: place]) },
            write: { text, settings in
                guard let value = parse(text) else { return false }
                settings[keyPath: place] = value
                return true
            })
    }

    private static func wholeNumber(in range: ClosedRange<Int>) -> String {
        "a whole number from \(range.lowerBound) to \(range.upperBound)"
    }

    /// Without a fraction that says nothing.
    private static func plain(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? "\(number)"
    }
}

extension Int {
    fileprivate init?(_ text: String, in range: ClosedRange<Int>) {
        guard let number = Int(text), range.contains(number) else { return nil }
        self = number
    }
}
