import Reports
import Testing

@testable import Rendering

private let style = OutputStyle(usesUnicode: true, usesColor: false)

@Suite("Panels on a screen") struct PanelTests {
    private func panel(_ name: String, least: Int, lines: Int) -> Panel {
        Panel(name, leastLines: least) { _ in (0..<lines).map { StyledLine("\(name)\($0)") } }
    }

    private func stacked(_ height: Int) -> [String] {
        Panel.stacked(
            [panel("a", least: 1, lines: 2), panel("b", least: 2, lines: 3), panel("c", least: 1, lines: 1)],
            width: 10, height: height, style
        ).map { String($0.text(style).prefix(2)) }
    }

    @Test("drop lines and then panels from the end, and are spaced if there is room")
    func stacking() {
        #expect(stacked(0) == [])
        #expect(stacked(2) == ["a ", "a0"])
        #expect(stacked(5) == ["a ", "a0", "b ", "b0", "b1"])
        #expect(stacked(4) == ["a ", "a0", "c ", "c0"])
        #expect(stacked(8) == ["a ", "a0", "a1", "b ", "b0", "b1", "c ", "c0"])
        #expect(stacked(9) == ["a ", "a0", "a1", "b ", "b0", "b1", "b2", "c ", "c0"])
        #expect(stacked(11) == ["a ", "a0", "a1", "", "b ", "b0", "b1", "b2", "", "c ", "c0"])
    }
}

@Suite("A styled line") struct StyledLineTests {
    @Test("is measured and cut by display width, whatever its colors")
    func cut() {
        let line = StyledLine("夏の", .title) + StyledLine("abc", .aside)
        #expect(line.width == 7)
        #expect(line.cut(to: 7, style).text(style) == "夏のabc")
        #expect(line.cut(to: 6, style).text(style) == "夏のa…")
        #expect(line.cut(to: 4, style).text(style) == "夏…")
        #expect(line.cut(to: 0, style).text(style) == "")
        let color = OutputStyle(usesUnicode: true, usesColor: true)
        #expect(line.cut(to: 5, color).text(color) == "\u{1B}[1m夏の\u{1B}[0m\u{1B}[2m…\u{1B}[0m")
        #expect(StyledLine("a\u{1B}[2J").text(style) == #"a\u001b[2J"#)
    }
}

@Suite("A sparkline") struct SparklineTests {
    @Test("has a column for each number; any number above 0 is visible")
    func columns() {
        #expect(Sparkline.text([0, 1, 50, 100], style) == "·▁▄█")
        #expect(Sparkline.text([0, 0], style) == "··")
        #expect(Sparkline.text([], style) == "")
        let ascii = OutputStyle(usesUnicode: false, usesColor: false)
        #expect(Sparkline.text([0, 1, 50, 100, -3], ascii) == "._=@.")
    }

    @Test("sums neighbors if there are more numbers than columns")
    func fitted() {
        #expect(Sparkline.fitted([1, 2, 3, 4, 5], columns: 5) == [1, 2, 3, 4, 5])
        #expect(Sparkline.fitted([1, 2, 3, 4, 5], columns: 3) == [1, 5, 9])
        #expect(Sparkline.fitted([1, 2, 3], columns: 0) == [])
    }
}

@Suite("A change") struct DayChangeTests {
    @Test(
        "is a share of the previous value",
        arguments: [
            (100, 112, "▲ 12.0 %"), (100, 97, "▼ 3.0 %"), (5, 5, "= 0.0 %"), (0, 7, "–"), (8, 0, "▼ 100.0 %"),
        ])
    func change(before: Int64, now: Int64, expected: String) {
        #expect(ChangeText.day(from: before, to: now, style) == expected)
    }
}
