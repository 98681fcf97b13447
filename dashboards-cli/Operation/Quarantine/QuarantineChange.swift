internal import Documents
internal import Instants
internal import Rendering
internal import Reports

/// A replay or a drop in every output format: its plan, or its result.
struct QuarantineChange {
    struct Count {
        let name: String
        let items: Int64
        let meaning: String
    }

    /// `replay` or `drop`.
    let action: String
    let app: String
    let asOf: Instant
    let plan: [Count]
    /// `nil` for a plan.
    var done: [Count]?
    var wasStopped = false

    private var plannedItems: Int64 { plan.reduce(0) { $0 + $1.items } }

    /// `{"report":"quarantine_replay",…}`: counts of items; `applied` is null for a plan.
    var document: JSONValue {
        [
            "report": .string("quarantine_\(action)"), "app": .string(app), "as_of": .string(asOf.rfc3339),
            "plan": Self.json(plan), "applied": done.map(Self.json) ?? .null,
            "was_stopped": .bool(wasStopped),
        ]
    }

    private static func json(_ counts: [Count]) -> JSONValue {
        .object(counts.map { .init($0.name, .integer($0.items)) })
    }

    var csv: CSVText {
        var text = CSVText(header: ["action", "step", "count", "items", "app", "as_of"])
        for (step, counts) in [("plan", plan), ("applied", done ?? [])] {
            for count in counts {
                text.append([
                    .text(action), .text(step), .text(count.name), .integer(count.items), .text(app),
                    .text(asOf.rfc3339),
                ])
            }
        }
        return text
    }

    func lines(_ style: OutputStyle) -> [String] {
        let heading = style.paint("Quarantine \(action) \(style.dot) \(printable(app))", .title)
        let remarks = (done ?? plan).map { Remark($0.name, $0.items, $0.meaning) }
        return [heading, ""] + Remark.lines(remarks, style, nameWidth: 10) + [""]
            + folded(verdict, to: style.width)
    }

    private var verdict: String {
        if done != nil {
            return wasStopped ? "Stopped between two batches; the next run continues." : "Done."
        }
        return plannedItems == 0
            ? "Nothing to do." : "This is a plan: nothing was changed. --apply carries it out."
    }
}
