/// The formats of every ``RenderableReport``.
package enum ReportFormat: String, CaseIterable, Sendable {
    case table
    case json
    case ndjson
    case csv
    case html
}
