/// A number in the syntax of RFC 8259, kept exactly: it never passes through `Double`.
struct JSONNumber {
    /// The digits without leading and trailing zeros; `nil` if they do not fit into 64 bits.
    private var digits: UInt64? = 0
    /// Zeros after the last digit other than 0; they count once another such digit follows.
    private var zeros = 0
    private var exponent = 0
    private let isNegative: Bool

    /// Returns `nil` for anything that is not a number, such as `01`, `+1`, `.5`, `1.`, `0x10`, `NaN`.
    init?(_ word: UnsafeRawBufferPointer) {
        var cursor = ByteCursor(word)
        isNegative = cursor.take(UInt8(ascii: "-"))
        let startsWithZero = cursor.current == UInt8(ascii: "0")
        let wholeDigits = readDigits(&cursor)
        guard wholeDigits > 0, !startsWithZero || wholeDigits == 1 else { return nil }
        if cursor.take(UInt8(ascii: ".")) {
            let fractionDigits = readDigits(&cursor)
            guard fractionDigits > 0 else { return nil }
            exponent -= fractionDigits
        }
        if cursor.take(UInt8(ascii: "e")) || cursor.take(UInt8(ascii: "E")) {
            guard let posted = Self.exponent(&cursor) else { return nil }
            exponent += posted
        }
        guard cursor.isAtEnd else { return nil }
    }

    /// The whole number it denotes (`200`, `200.0`, `2e2`; `-0` is 0); `nil` for a fraction or over 64 bits.
    var whole: Int64? {
        guard var magnitude = digits else { return nil }
        guard magnitude > 0 else { return 0 }
        guard (0...19).contains(exponent + zeros) else { return nil }
        for _ in 0..<exponent + zeros {
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            magnitude = product
        }
        guard isNegative else { return Int64(exactly: magnitude) }
        return magnitude == Int64.min.magnitude ? .min : Int64(exactly: magnitude).map { -$0 }
    }

    /// The number without its fraction; `nil` if it exceeds 64 bits.
    var truncated: Int64? {
        if let whole { return whole }
        guard var magnitude = digits, exponent + zeros < 0 else { return nil }
        for _ in 0..<min(-(exponent + zeros), 20) { magnitude /= 10 }
        return Int64(exactly: magnitude).map { isNegative ? -$0 : $0 }
    }

    private mutating func readDigits(_ cursor: inout ByteCursor) -> Int {
        let start = cursor.position
        while let digit = cursor.current.digit {
            append(digit)
            cursor.advance()
        }
        return cursor.position - start
    }

    private mutating func append(_ digit: UInt64) {
        guard digit > 0 else {
            zeros += 1
            return
        }
        for _ in 0..<(digits == 0 ? 0 : zeros) {
            digits = digits?.times(10, plus: 0)
            if digits == nil { break }
        }
        zeros = 0
        digits = digits?.times(10, plus: digit)
    }

    /// Exponents are capped here: no item has enough digits to offset a larger one.
    private static let mostExponent = 1 << 40

    private static func exponent(_ cursor: inout ByteCursor) -> Int? {
        let isNegative = cursor.take(UInt8(ascii: "-"))
        if !isNegative { _ = cursor.take(UInt8(ascii: "+")) }
        guard cursor.current.digit != nil else { return nil }
        var exponent = 0
        while let digit = cursor.current.digit {
            exponent = min(exponent * 10 + Int(digit), mostExponent)
            cursor.advance()
        }
        return isNegative ? -exponent : exponent
    }
}

extension UInt64 {
    fileprivate func times(_ factor: UInt64, plus term: UInt64) -> UInt64? {
        let (product, overflow) = multipliedReportingOverflow(by: factor)
        guard !overflow else { return nil }
        let (sum, carry) = product.addingReportingOverflow(term)
        return carry ? nil : sum
    }
}
