internal import DeliveryModel

/// The kinds of values there are. Each takes the place of its value, so that the default stands there and nowhere else.
extension Setting {
    typealias Place<Value> = any WritableKeyPath<ServerSettings, Value> & Sendable

    static func text(
        _ name: String, _ place: Place<String>, flag: String? = nil, secrecy: Secrecy = .open,
        _ summary: String
    ) -> Setting {
        Setting(
            name: name, flag: flag, form: .text, unit: "", secrecy: secrecy, summary: summary,
            expectation: "a text", read: { $0[keyPath: place] },
            write: { text, settings in
                settings[keyPath: place] = text
                return true
            })
    }

    static func number(
        _ name: String, _ place: Place<Int>, flag: String? = nil, _ range: ClosedRange<Int>, _ unit: String,
        _ summary: String
    ) -> Setting {
        counted(
            name, flag: flag, range, unit, summary, read: { $0[keyPath: place] },
            write: { $1[keyPath: place] = $0 })
    }

    static func days(
        _ name: String, _ place: Place<Span>, _ range: ClosedRange<Int>, _ summary: String
    ) -> Setting {
        counted(
            name, flag: nil, range, "days", summary,
            read: { Int($0[keyPath: place].milliseconds / Span.days(1).milliseconds) },
            write: { $1[keyPath: place] = .days(Int64($0)) })
    }

    /// Fractions of a second are taken, down to milliseconds.
    static func seconds(
        _ name: String, _ place: Place<Duration>, _ range: ClosedRange<Double>, _ summary: String
    ) -> Setting {
        Setting(
            name: name, flag: nil, form: .number, unit: "seconds", secrecy: .open, summary: summary,
            expectation: "a number of seconds from \(plain(range.lowerBound)) to \(plain(range.upperBound))",
            read: { plain(Double($0[keyPath: place].nanoseconds) / 1_000_000_000) },
            write: { text, settings in
                guard let seconds = Double(text), range.contains(seconds) else { return false }
                settings[keyPath: place] = .milliseconds(Int64((seconds * 1_000).rounded()))
                return true
            })
    }

    static func toggle(_ name: String, _ place: Place<Bool>, _ summary: String) -> Setting {
        Setting(
            name: name, flag: nil, form: .toggle, unit: "", secrecy: .open, summary: summary,
            expectation: "true or false", read: { "\($0[keyPath: place])" },
            write: { text, settings in
                switch text.lowercased() {
                case "true", "on", "yes", "1": settings[keyPath: place] = true
                case "false", "off", "no", "0": settings[keyPath: place] = false
                default: return false
                }
                return true
            })
    }

    static func choice<Choice: RawRepresentable<String> & CaseIterable & SendableMetatype>(
        _ name: String, _ place: Place<Choice>, flag: String? = nil, _ summary: String
    ) -> Setting {
        let names = Choice.allCases.map(\.rawValue)
        return Setting(
            name: name, flag: flag, form: .text, unit: "", secrecy: .open, summary: summary,
            expectation: "one of \(names.joined(separator: ", "))",
            read: { $0[keyPath: place].rawValue },
            write: { text, settings in
                guard let choice = Choice(rawValue: text.lowercased()) else { return false }
                settings[keyPath: place] = choice
                return true
            })
    }

    private static func counted(
        _ name: String, flag: String?, _ range: ClosedRange<Int>, _ unit: String, _ summary: String,
        read: @escaping @Sendable (ServerSettings) -> Int,
        write: @escaping @Sendable (Int, inout ServerSettings) -> Void
    ) -> Setting {
        Setting(
            name: name, flag: flag, form: .number, unit: unit, secrecy: .open, summary: summary,
            expectation: "a whole number from \(range.lowerBound) to \(range.upperBound)",
            read: { "\(read($0))" },
            write: { text, settings in
                guard let number = Int(text), range.contains(number) else { return false }
                write(number, &settings)
                return true
            })
    }

    /// Without a fraction that says nothing.
    private static func plain(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? "\(number)"
    }
}
