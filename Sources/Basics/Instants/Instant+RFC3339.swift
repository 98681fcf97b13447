extension Instant {
    /// Parses an RFC 3339 instant with a zone, such as `2026-03-01T09:30:00.250Z` or
    /// `2026-03-01T10:30:00+01:00`.
    ///
    /// Fractions beyond milliseconds are truncated. A leap second (`:60`) becomes the following second.
    /// Returns `nil` for anything else, including a missing zone: a local time is not an instant.
    @specialized(where Text == String)
    public init?<Text: StringProtocol>(rfc3339 text: Text) {
        var scanner = DigitScanner(text.utf8)
        guard let year = scanner.number(digits: 4), scanner.skip("-"),
            let month = scanner.number(digits: 2), scanner.skip("-"),
            let day = scanner.number(digits: 2), scanner.skip("T", "t", " "),
            let hour = scanner.number(digits: 2), scanner.skip(":"),
            let minute = scanner.number(digits: 2), scanner.skip(":"),
            let second = scanner.number(digits: 2),
            (1...12).contains(month), (1...daysInMonth(month, year: year)).contains(day),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        guard let milliseconds = scanner.fractionInMilliseconds(), let offset = scanner.zoneOffsetInMinutes(),
            scanner.isAtEnd
        else { return nil }

        let days = daysSinceEpoch(year: year, month: month, day: day)
        let seconds = ((days * 24 + hour) * 60 + minute - offset) * 60 + second
        self.init(millisecondsSinceEpoch: Int64(seconds) * 1_000 + Int64(milliseconds))
    }

    /// The instant in UTC with milliseconds, such as `2026-03-01T09:30:00.250Z`.
    public var rfc3339: String {
        let (days, millisecondOfDay) = floorDivide(millisecondsSinceEpoch, by: Span.days(1).milliseconds)
        let (year, month, day) = civilDate(daysSinceEpoch: Int(days))
        let second = Int(millisecondOfDay / 1_000)
        return "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
            + "T\(padded(second / 3_600, to: 2)):\(padded(second / 60 % 60, to: 2)):\(padded(second % 60, to: 2))"
            + ".\(padded(Int(millisecondOfDay % 1_000), to: 3))Z"
    }
}

private struct DigitScanner<Bytes: Collection> where Bytes.Element == UInt8 {
    private let bytes: Bytes
    private var position: Bytes.Index

    init(_ bytes: Bytes) {
        self.bytes = bytes
        self.position = bytes.startIndex
    }

    var isAtEnd: Bool { position == bytes.endIndex }

    private var next: UInt8? { isAtEnd ? nil : bytes[position] }

    private mutating func digit() -> Int? {
        guard let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
        position = bytes.index(after: position)
        return Int(byte - UInt8(ascii: "0"))
    }

    mutating func number(digits: Int) -> Int? {
        var value = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    mutating func skip(_ accepted: Unicode.Scalar...) -> Bool {
        guard let byte = next, accepted.contains(Unicode.Scalar(byte)) else { return false }
        position = bytes.index(after: position)
        return true
    }

    /// Milliseconds of an optional fraction; `nil` if a decimal point has no digit after it.
    mutating func fractionInMilliseconds() -> Int? {
        guard skip(".", ",") else { return 0 }
        var value = 0
        var count = 0
        while let digit = digit() {
            if count < 3 { value = value * 10 + digit }
            count += 1
        }
        guard count > 0 else { return nil }
        for _ in 0..<max(0, 3 - count) { value *= 10 }
        return value
    }

    mutating func zoneOffsetInMinutes() -> Int? {
        if skip("Z", "z") { return 0 }
        let sign: Int
        if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
        guard let hours = number(digits: 2), hours < 24, skip(":"), let minutes = number(digits: 2),
            minutes < 60
        else { return nil }
        return sign * (hours * 60 + minutes)
    }
}

private func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

private func floorDivide(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
}

private func daysInMonth(_ month: Int, year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
}

/// Days since 1970-01-01 in the proleptic Gregorian calendar. Years are counted from March, so that the leap
/// day is the last day of its year and month lengths follow one linear formula.
private func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
    let marchYear = month > 2 ? year : year - 1
    let (era, yearOfEra) = floorDivide(Int64(marchYear), by: 400)
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let dayOfEra = Int(yearOfEra) * 365 + Int(yearOfEra) / 4 - Int(yearOfEra) / 100 + dayOfYear
    return Int(era) * 146_097 + dayOfEra - 719_468
}

private func civilDate(daysSinceEpoch days: Int) -> (year: Int, month: Int, day: Int) {
    let (era, remainder) = floorDivide(Int64(days + 719_468), by: 146_097)
    let dayOfEra = Int(remainder)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + Int(era) * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
}
