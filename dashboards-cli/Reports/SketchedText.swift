internal import Documents
internal import Maintenance
internal import Rendering
internal import Reports

extension MaintenanceReport.Sketched {
    /// `{"report":"sketch",…}`: UTC days of apps, and rows of `reach_sketch`.
    var document: JSONValue {
        [
            "report": "sketch", "sketched_days": .integer(days), "sketches_built": .integer(sketches),
        ]
    }

    var csv: CSVText {
        var text = CSVText(header: ["sketched_days", "sketches_built"])
        text.append([.integer(days), .integer(sketches)])
        return text
    }

    func lines(_ style: OutputStyle) -> [String] {
        let what =
            days == 0
            ? "Nothing was missing: the sketches of all days match the counters."
            : "Built \(grouped(sketches)) sketches of \(grouped(days)) days."
        return [
            style.paint("Sketches of reach", .title), "", what,
            "landfall reach uses them for windows of more than three days.",
        ]
    }
}
