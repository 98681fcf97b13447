import Testing

@testable import Rendering

@Suite("CSV")
struct CSVTests {
    @Test(
        "quotes what RFC 4180 requires and disarms formulas",
        arguments: [
            ("plain", "plain"), ("", ""), ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""),
            ("two\nlines", #"two\nlines"#), ("=SUM(A1)", "'=SUM(A1)"), ("+49", "'+49"), ("-1", "'-1"),
            ("@cmd", "'@cmd"), ("\tx", #"\tx"#), ("\rx", #"\rx"#),
            ("\u{1B}[2J\u{9B}\u{202E}", #"\u001b[2J\u009b\u202e"#), ("＝1", "'＝1"), ("=a,b", "\"'=a,b\""),
            ("夏", "夏"),
            ("a\r\nb", #"a\r\nb"#),
        ])
    func text(text: String, expected: String) {
        #expect(CSVField.text(text).encoded == expected)
    }

    @Test("writes plain numbers, negative ones too, and nothing for a missing value")
    func numbers() {
        #expect(CSVField.integer(-1_234_567).encoded == "-1234567")
        #expect(CSVField.number(0.25).encoded == "0.25")
        #expect(CSVField.number(nil).encoded.isEmpty)
    }

    @Test("has one header line, and ends every line with CR LF")
    func lines() {
        var text = CSVText(header: ["a", "b"])
        text.append([.text("x"), .integer(1)])
        #expect(text.text == "a,b\r\nx,1\r\n")
    }
}
