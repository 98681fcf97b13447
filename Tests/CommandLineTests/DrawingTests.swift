import DeliveryModel
import Reports
import Testing

@testable import Rendering

private let unicode = OutputStyle(usesUnicode: true, usesColor: false)
private let ascii = OutputStyle(usesUnicode: false, usesColor: false)

@Suite("Widths on a terminal")
struct DisplayWidthTests {
    @Test(
        "are 2 for CJK and emoji, 0 for combining characters, 1 for the rest",
        arguments: [
            ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("夏のセール", 10), ("한국", 4), ("🎉", 2), ("👩‍👩‍👧", 2),
            ("🇩🇪", 2),
            ("❤️", 2), ("█▏", 2), ("–", 1), ("ａ", 2), ("ق", 1), ("❤", 1), ("1️⃣", 2), ("🚀", 2), ("👍🏽", 2),
            ("🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", 2), ("❤️‍🔥", 2), ("🇩🇪🇫🇷", 4), ("कि", 2),
            ("ก็", 1), ("\u{1100}\u{1161}\u{11A8}", 2), ("a\u{200B}b", 2), ("\u{AD}", 0), ("ﷺ", 1),
        ])
    func width(text: String, expected: Int) {
        #expect(displayWidth(text) == expected)
    }

    @Test("are safe from names that would control the terminal or break the line")
    func printableText() {
        #expect(printable("a\u{1B}[2Jb") == #"a\u001b[2Jb"#)
        #expect(printable("a\r\nb\u{9B}\u{202E}c\t\u{7F}\u{2028}") == #"a\r\nb\u009b\u202ec\t\u007f\u2028"#)
        #expect(printable("夏 🎉") == "夏 🎉")
    }

    @Test("escape every control character in quoted text except our colors")
    func harmless() {
        let painted = OutputStyle(usesUnicode: true, usesColor: true).paint("shop", .trouble)
        #expect(TerminalText.harmless(painted) == painted)
        #expect(
            TerminalText.harmless("\(painted)\u{1B}]0;x\u{7}\(painted)")
                == #"\#(painted)\u001b]0;x\u0007\#(painted)"#)
        #expect(TerminalText.harmless("a\u{1B}[8mb\u{1B}[1;5H\u{1B}") == #"a\u001b[8mb\u001b[1;5H\u001b"#)
        #expect(TerminalText.harmless("\u{1B}\u{1B}[31mx\u{9B}2J") == "\\u001b\u{1B}[31mx\\u009b2J")
        #expect(TerminalText.harmless("e\u{301}\u{1B}\u{301}") == "e\u{301}\\u001b\u{301}")
    }
}

@Suite("Text that is too long for a line")
struct FoldedTextTests {
    @Test("continues below, word by word")
    func words() {
        #expect(folded("one two three", to: 7) == ["one two", "three"])
        #expect(folded("one extraordinary", to: 5) == ["one", "extraordinary"])
        #expect(folded("one two", to: nil) == ["one two"])
        #expect(folded("", to: 10) == [])
    }

    @Test("continues next to the heading's name")
    func facts() {
        let narrow = OutputStyle(usesUnicode: true, usesColor: false, width: 24)
        #expect(
            headingLines("window", "from here to there", narrow) == [
                "  window   from here to", "           there",
            ])
        #expect(headingLines("window", "from here", unicode) == ["  window   from here"])
    }
}

@Suite("A bar")
struct BarTests {
    @Test(
        "is drawn in eighths of a column",
        arguments: [
            (0.0, ""), (1.0, "██████████"), (0.5, "█████"), (0.5125, "█████▏"), (0.99, "█████████▉"),
            (7.0, "██████████"),
        ])
    func blocks(fraction: Double, expected: String) {
        #expect(Bar.text(fraction, width: 10, unicode) == expected)
    }

    @Test("shows any value above 0, however small")
    func small() {
        #expect(Bar.text(0.000_001, width: 10, unicode) == "▏")
        #expect(Bar.text(0.000_001, width: 10, ascii) == "#")
        #expect(Bar.text(1, of: 0, width: 10, ascii).isEmpty)
        #expect(Bar.text(-1, width: 10, ascii).isEmpty)
    }

    @Test("is made of # in ASCII")
    func hashes() {
        #expect(Bar.text(0.5, width: 10, ascii) == "#####")
    }
}

@Suite("Numbers for people")
struct NumberTextTests {
    @Test(
        "have thousands separators",
        arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (-12_345, "-12,345")])
    func grouping(number: Int64, expected: String) {
        #expect(grouped(number) == expected)
    }

    @Test("show rates with their interval, or nothing without a denominator")
    func rates() {
        #expect(Proportion(81, of: 263).text(unicode) == "30.8 % (25.5–36.6)")
        #expect(Proportion(81, of: 263).text(ascii) == "30.8 % (25.5-36.6)")
        #expect(Proportion(0, of: 0).text(unicode) == "–")
        #expect(Proportion(3, of: 2).text(unicode) == unicode.nothing)
    }
}

@Suite("The style of the output")
struct OutputStyleTests {
    private func style(
        _ environment: [String: String], isTerminal: Bool = true, ascii: Bool = false
    ) -> OutputStyle {
        OutputStyle(
            environment: environment, isTerminal: isTerminal, terminalWidth: 120, asksForASCII: ascii)
    }

    @Test("is Unicode and color on a terminal with UTF-8")
    func terminal() {
        #expect(
            style(["LANG": "de_DE.UTF-8", "TERM": "xterm"])
                == OutputStyle(usesUnicode: true, usesColor: true, width: 120))
    }

    @Test("is plain and of unlimited width when piped")
    func piped() {
        #expect(
            style(["LANG": "C.UTF-8"], isTerminal: false)
                == OutputStyle(usesUnicode: false, usesColor: false, width: nil))
    }

    @Test("is ASCII on request, on a dumb terminal and in other locales; LC_ALL beats LANG")
    func plain() {
        #expect(!style(["LANG": "C.UTF-8"], ascii: true).usesUnicode)
        #expect(!style(["LANG": "C.UTF-8", "TERM": "dumb"]).usesUnicode)
        #expect(!style(["LANG": "C.UTF-8", "LC_ALL": "C"]).usesUnicode)
        #expect(!style([:]).usesUnicode)
        #expect(style(["LANG": "C", "LC_ALL": "", "LC_CTYPE": "en_US.utf8"]).usesUnicode)
    }

    @Test("has no color with NO_COLOR")
    func noColor() {
        #expect(!style(["LANG": "C.UTF-8", "NO_COLOR": "1"]).usesColor)
        #expect(style(["LANG": "C.UTF-8", "NO_COLOR": ""]).usesColor)
        #expect(unicode.paint("x", .trouble) == "x")
        #expect(style(["LANG": "C.UTF-8"]).paint("x", .trouble) == "\u{1B}[31mx\u{1B}[0m")
    }
}

@Suite("A table")
struct TextTableTests {
    private var table: TextTable {
        var table = TextTable([
            .init("Name", isNumber: false, group: 0), .init("Count", group: 1), .init("Other", group: 2),
        ])
        table.rows = [["夏", "1", "2"], ["spring", "1,000", "3"]]
        table.totals = ["Total", "1,001", "5"]
        return table
    }

    @Test("aligns columns by display width")
    func alignment() {
        #expect(
            table.lines(ascii) == [
                "Name    Count  Other",
                "--------------------",
                "夏          1      2",
                "spring  1,000      3",
                "--------------------",
                "Total   1,001      5",
            ])
    }

    @Test("continues below itself if the terminal is too narrow, with the names repeated")
    func narrow() {
        let lines = table.lines(OutputStyle(usesUnicode: false, usesColor: false, width: 16))
        #expect(lines.filter { $0.hasPrefix("spring") } == ["spring  1,000", "spring      3"])
        #expect(lines.allSatisfy { displayWidth($0) <= 16 })
    }

    @Test("cuts long names, less where there is no terminal")
    func longNames() {
        var table = TextTable([
            .init("Name", isNumber: false, group: 0, isName: true), .init("Count", group: 1),
        ])
        table.rows = [[.init(String(repeating: "夏", count: 100)), "1"]]
        let style = OutputStyle(usesUnicode: true, usesColor: false, width: 60)
        #expect(table.lines(style).allSatisfy { displayWidth($0) <= 60 })
        #expect(table.lines(style)[2].contains("夏…"))
        #expect((60...70).contains(displayWidth(table.lines(unicode)[2])))
    }
}
