internal import Basics
internal import Rendering
internal import Reports

/// What a command found or did, for each output format.
protocol CommandResult {
    var document: JSONValue { get }
    var csv: CSVText { get }
    func lines(_ style: OutputStyle) -> [String]
}

/// The plan of a command, or its result: a heading, figures, and a sentence.
protocol OperationReport: CommandResult {
    var title: String { get }
    /// Empty if the operation concerns all apps.
    var app: String { get }
    /// Names and texts below the title.
    var facts: [(String, String)] { get }
    func figures(_ style: OutputStyle) -> [String]
    var verdict: String { get }
}

extension OperationReport {
    var app: String { "" }
    var facts: [(String, String)] { [] }

    func lines(_ style: OutputStyle) -> [String] {
        let subject = app.isEmpty ? "" : " \(style.dot) \(printable(app))"
        let facts = facts.flatMap { headingLines($0.0, $0.1, style) }
        return [style.paint(title + subject, .title)] + facts + [""] + figures(style) + [""]
            + folded(verdict, to: style.width)
    }
}
