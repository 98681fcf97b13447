extension String {
    /// The text with those characters escaped that control a terminal, break a line or change the direction
    /// of the surrounding text: `\n`, `\r`, `\t`, and `\u001b` for the rest of C0, DEL, C1, the line and
    /// paragraph separators, and the bidirectional controls. Names from outside are shown to people, and
    /// written to CSV, JSON and log lines, in this form.
    public var controlsEscaped: String {
        // Almost no text has any: bytes show that without looking up properties.
        guard utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 >= 0xC2 }),
            unicodeScalars.contains(where: \.isControl)
        else { return self }
        return String.controlsEscaped(in: unicodeScalars)
    }

    private static func controlsEscaped(in scalars: String.UnicodeScalarView) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in scalars {
            switch scalar {
            case _ where !scalar.isControl: escaped.append(scalar)
            case "\n": escaped.append(contentsOf: "\\n".unicodeScalars)
            case "\r": escaped.append(contentsOf: "\\r".unicodeScalars)
            case "\t": escaped.append(contentsOf: "\\t".unicodeScalars)
            default:
                let digits = String(scalar.value, radix: 16)
                // All of them are in the basic plane and need four digits.
                let zeros = String(repeating: "0", count: 4 - digits.count)
                escaped.append(contentsOf: "\\u\(zeros)\(digits)".unicodeScalars)
            }
        }
        return String(escaped)
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool {
        if value < 0x7F { return value < 0x20 }
        return switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: properties.isBidiControl
        }
    }
}
