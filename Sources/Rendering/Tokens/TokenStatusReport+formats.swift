internal import Access
internal import Instants
package import Reports

extension TokenStatusReport: RenderableReport {
    package var csv: CSVText {
        var text = CSVText(header: ["state", "kind", "environment", "tokens", "app", "unit", "as_of"])
        for row in rows {
            text.append([
                .text(row.state), .text(row.kind), .text(row.environment), .integer(row.tokens),
                .text(app.slug), .text("tokens"), .text(asOf.rfc3339),
            ])
        }
        return text
    }

    package var emptiness: Emptiness? {
        guard tokens == 0 else { return nil }
        return Emptiness(sentence: "There is no token of app \(app.slug)", hint: nil)
    }

    package var htmlPage: HTMLPage { TokenStatusTable(self, .page).htmlPage }

    package func lines(_ style: OutputStyle) -> [String] { TokenStatusTable(self, style).lines }
}
