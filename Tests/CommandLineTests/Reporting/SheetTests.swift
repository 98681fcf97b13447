import Reports
import Testing

@testable import Rendering

/// Renderers find columns by their ids. What people read is only read.
@Suite("The sheets of a hand-made day") struct SheetTests {
    private static func reports() throws -> [any Sheeted] {
        [
            try HandMadeDay.funnel(by: .campaign), try HandMadeDay.funnel(by: .hour),
            try HandMadeDay.clicks(by: .campaign), try HandMadeDay.clicksByAction(),
            try HandMadeDay.reach(by: .campaign), try HandMadeDay.sketchedReach(), try HandMadeDay.loss(),
            try HandMadeDay.rejections(), try HandMadeDay.latency(), try HandMadeDay.comparedLatency(),
            try HandMadeDay.extensionHealth(), try HandMadeDay.permissions(),
            try HandMadeDay.optOuts(), HandMadeDay.tokens, try HandMadeDay.waterfall(),
            HandMadeDay.zombies, HandMadeDay.deaths,
        ]
    }

    @Test("change nothing but their headings if all columns are renamed")
    func renamed() throws {
        let style = OutputStyle(usesUnicode: true, usesColor: false, width: 100)
        for report in try Self.reports() {
            let sheet = report.sheet
            var renamed = sheet
            // Letters without case, as wide as those they replace: a heading may be capitalized, and sets a
            // column's width.
            for (position, rune) in zip(
                sheet.columns.indices, (0x16A0...0x16EA).compactMap(Unicode.Scalar.init))
            {
                renamed.columns[position].title = String(
                    repeating: Character(rune), count: sheet.columns[position].title.count)
            }
            func restored(_ text: String) -> String {
                zip(renamed.columns, sheet.columns).reduce(text) { text, columns in
                    columns.0.title.isEmpty ? text : text.replacing(columns.0.title, with: columns.1.title)
                }.lowercased()
            }
            #expect(renamed.document == sheet.document)
            #expect(SheetCSV(sheet: renamed).text.text == SheetCSV(sheet: sheet).text.text)
            let lines = SheetText(sheet: sheet, style: style).lines.joined(separator: "\n")
            let others = SheetText(sheet: renamed, style: style).lines.joined(separator: "\n")
            #expect(restored(others) == lines.lowercased(), "\(sheet.title)")
            #expect(sheet.rows.isEmpty || others != lines, "\(sheet.title)")
            #expect(restored(HTMLPage(renamed).text) == HTMLPage(sheet).text.lowercased(), "\(sheet.title)")
        }
    }

    @Test("name only columns that they have, and no column twice")
    func named() throws {
        for sheet in try Self.reports().map(\.sheet) {
            let ids = Set(sheet.columns.map(\.id))
            let shown = sheet.table.flatMap(\.self).compactMap { column -> String? in
                switch column {
                case .key: nil
                case .column(let id): id
                case .bar(let bar): bar.id
                }
            }
            let named = shown + sheet.trends + Array(sheet.comparedInRows) + (sheet.course?.series ?? [])
            #expect(Set(named).isSubset(of: ids), "\(sheet.title): \(Set(named).subtracting(ids))")
            for place in [SheetColumn.Places.rows, .totals, .csv, .figure] {
                let placed = sheet.columns.filter { $0.places.contains(place) }.map(\.id)
                #expect(Set(placed).count == placed.count, "\(sheet.title): \(placed)")
            }
        }
    }

    /// The schemas of `openapi.yaml` follow from the kinds.
    @Test("have values of the kinds that their columns state, or none")
    func kinds() throws {
        for sheet in try Self.reports().map(\.sheet) {
            for values in sheet.rows.map(\.values) + [sheet.totals] {
                for (column, value) in zip(sheet.columns, values) where column.places != .nowhere {
                    let kinds: [SheetColumn.Kind] =
                        switch value {
                        case .none: [column.kind]
                        case .count, .estimate: [.number]
                        case .milliseconds: [.milliseconds]
                        case .rate, .estimatedRate: [.rate]
                        case .words: [.words, .name]
                        case .names: [.names]
                        case .instant: [.instant]
                        case .document: [.document]
                        }
                    #expect(kinds.contains(column.kind), "\(sheet.title): \(column.id)")
                }
            }
        }
    }
}
