internal import ArgumentParser
internal import DeliveryModel
internal import Foundation
internal import Reports

/// How users may write an instant, by what a date alone means.
enum InstantForms {
    static let utc = "2026-03-01 (UTC), an RFC 3339 instant, 7d, 24h, today"
    static let local = "2026-03-01 (a local date), 2026-03-01T09:30:00+01:00, 7d, 24h, today"
}

extension ArgumentHelp {
    /// The help of an option or argument whose value the usage shows as `<name>`.
    static func value(_ text: String, _ name: String) -> ArgumentHelp { ArgumentHelp(text, valueName: name) }

    static func when(_ text: String) -> ArgumentHelp { value(text, "when") }
}

/// Reads the id of a device. An invalid one is not repeated, because it may be a token.
func uuid(_ text: String, of what: String) throws -> UUID {
    guard let id = UUID(strict: text) else {
        throw ValidationError(
            "The id of a \(what) must be a UUID, such as 6f9619ff-8b86-4011-b42d-00cf4fc964ff. For a token, "
                + "use landfall explain token.")
    }
    return id
}

/// Reads the id that a sender chose for a notification or a message. It is not repeated either.
func chosenID(_ text: String) throws -> ChosenID {
    do {
        return try ChosenID(text)
    } catch {
        throw ValidationError("The id of a notification must be a text: this one \(error.advice).")
    }
}

/// Reads a word of a closed list, the value of an option.
func word<Word: RawRepresentable<String> & CaseIterable>(_ text: String, of what: String) throws -> Word {
    if let word = Word(rawValue: text) { return word }
    let names = Word.allCases.map(\.rawValue)
    let known = names.dropLast().joined(separator: ", ") + " or " + names.suffix(1).joined()
    throw ValidationError("There is no \(what) '\(text)'. Use \(known).")
}

/// Reads an instant as users type it, in UTC.
func instant(_ text: String?, option: String, now: Instant) throws -> Instant? {
    guard let text else { return nil }
    guard let instant = WindowBound.instant(text, in: .utc, now: now) else {
        throw ValidationError(
            "\(option) is not valid: use 2026-03-01 (UTC), 2026-03-01T09:30:00+01:00, 7d, 24h, today or now."
        )
    }
    return instant
}

/// Checks the value of an option.
func checkRange<Number: BinaryInteger>(
    _ option: String, _ number: Number, in range: ClosedRange<Number>
) throws {
    guard !range.contains(number) else { return }
    throw ValidationError("\(option) must be between \(range.lowerBound) and \(range.upperBound).")
}

/// The time zone of a command's days and times.
struct TimeZoneOption: ParsableArguments {
    @Option(
        help: .value("The IANA time zone of days and times, such as Europe/Berlin. Default: UTC.", "zone"))
    var tz: String?

    var zone: ReportTimeZone {
        get throws(ReportError) {
            guard let tz else { return .utc }
            return try ReportTimeZone(tz)
        }
    }

    func validate() throws { try asValidation { _ = try zone } }
}
