internal import DeliveryModel
internal import Documents
internal import Instants
internal import Rendering
internal import Reports
internal import TokenLifecycle
internal import Wording

/// A restoration in every output format: its plan, or its result.
struct RestorationReport {
    let app: String
    let rule: TokenRule
    let since: Instant
    let asOf: Instant
    let plan: Restoration.Plan
    /// `nil` for a plan.
    var result: TokenRunResult?

    /// `{"report":"tokens_restore",…}`: counts of tokens, instants in UTC; `applied` is null for a plan.
    var document: JSONValue {
        [
            "report": "tokens_restore", "app": .string(app), "as_of": .string(asOf.rfc3339),
            "rule": .string(rule.rawValue), "since": .string(since.rfc3339),
            "groups": .array(plan.groups.map(Self.json)),
            "restores": .integer(plan.restorable),
            "stays": .object(Self.hindrances.map { .init($0.rawValue, .integer(plan.hindered($0))) }),
            "applied": result.map(\.document) ?? .null,
        ]
    }

    private static let hindrances = Restoration.Hindrance.allCases

    private static func json(_ group: Restoration.Group) -> JSONValue {
        [
            "environment": .string(group.environment), "topic": .string(group.topic),
            "restores": .integer(group.restorable),
            "stays": .object(
                hindrances.map { .init($0.rawValue, .integer(group.hindered[$0, default: 0])) }),
        ]
    }

    var csv: CSVText {
        var text = CSVText(
            header: ["environment", "topic", "restores"] + Self.hindrances.map(\.rawValue)
                + ["rule", "since", "app", "as_of"])
        for group in plan.groups {
            var fields: [CSVField] = [
                .text(group.environment), .text(group.topic), .integer(group.restorable),
            ]
            fields += Self.hindrances.map { CSVField.integer(group.hindered[$0, default: 0]) }
            fields += [.text(rule.rawValue), .text(since.rfc3339), .text(app), .text(asOf.rfc3339)]
            text.append(fields)
        }
        return text
    }

    func lines(_ style: OutputStyle) -> [String] {
        let heading =
            [style.paint("Tokens restore \(style.dot) \(printable(app))", .title)]
            + headingLines("undoes", "\(rule.rawValue), since \(since.utcMinuteWithOffset)", style)
            + headingLines("counted", "tokens, exact, as of \(asOf.utcMinuteWithOffset)", style) + [""]
        let found =
            plan.groups.isEmpty
            ? ["  The rule has taken no token out of use since then."] : table(style).lines(style)
        return heading + found + [""] + Remark.lines(remarks, style, nameWidth: 13) + [""]
            + folded(verdict, to: style.width)
    }

    private func table(_ style: OutputStyle) -> TextTable {
        var table = TextTable([
            .init("Environment", isNumber: false, group: 0),
            .init("Topic", isNumber: false, group: 0, isName: true),
            .init(bar: "of largest", group: 1), .init("Restores", group: 1), .init("Stay", group: 1),
        ])
        let largest = plan.groups.map(\.restorable).max() ?? 0
        table.rows = plan.groups.map { group in
            [
                .init(group.environment), .init(group.topic.isEmpty ? "(unknown)" : group.topic),
                .bar(group.restorable, of: largest, .confirmed, width: 20, style),
                .init(grouped(group.restorable)), .init(grouped(group.hindered.values.reduce(0, +))),
            ]
        }
        return table
    }

    private var remarks: [Remark] {
        [Remark("restores", plan.restorable, "back to the state they had before")]
            + Self.hindrances.map { Remark($0.name, plan.hindered($0), $0.meaning) }
    }

    private var verdict: String {
        if let result {
            let stopped = result.wasStopped ? " Stopped between two batches; the next run continues." : ""
            return "Done: \(grouped(result.changedCount)) restored.\(stopped)"
        }
        guard plan.restorable > 0 else { return "Nothing to do." }
        return "This is a plan: nothing was changed. --apply carries it out."
    }
}

extension Restoration.Hindrance {
    fileprivate var name: String {
        switch self {
        case .changedSince: "changed since"
        case .valueErased: "value erased"
        case .slotTaken: "slot taken"
        }
    }

    fileprivate var meaning: String {
        switch self {
        case .changedSince: "stay: another rule, a response or a registration decided later"
        case .valueErased: "stay: no one could send to them"
        case .slotTaken: "stay: the installation has a newer token"
        }
    }
}
