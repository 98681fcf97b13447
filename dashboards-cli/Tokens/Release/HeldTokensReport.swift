internal import DeliveryModel
internal import Documents
internal import Instants
internal import Rendering
internal import Reports
internal import TokenLifecycle
internal import Wording

/// The release or confirmation of held tokens in every output format: its plan, or its result.
struct HeldTokensReport {
    let app: String
    let decision: HeldTokens.Decision
    let asOf: Instant
    let groups: [HeldTokens.Group]
    /// `nil` for a plan.
    var result: TokenRunResult?

    var tokenCount: Int64 { groups.reduce(0) { $0 + $1.tokenCount } }

    /// `{"report":"tokens_release",…}`: counts of tokens, instants in UTC; `applied` is null for a plan.
    var document: JSONValue {
        [
            "report": .string("tokens_\(decision.rawValue)"), "app": .string(app),
            "as_of": .string(asOf.rfc3339),
            "breakers": .array(
                groups.map { group in
                    [
                        "environment": .string(group.environment), "topic": .string(group.topic),
                        "opened_at": .string(group.openedAt.rfc3339), "tokens": .integer(group.tokenCount),
                    ]
                }),
            "tokens": .integer(tokenCount),
            "applied": result.map(\.document) ?? .null,
        ]
    }

    var csv: CSVText {
        var text = CSVText(header: ["environment", "topic", "opened_at", "tokens", "app", "as_of"])
        for group in groups {
            text.append([
                .text(group.environment), .text(group.topic), .text(group.openedAt.rfc3339),
                .integer(group.tokenCount), .text(app), .text(asOf.rfc3339),
            ])
        }
        return text
    }

    func lines(_ style: OutputStyle) -> [String] {
        let heading =
            [style.paint("Tokens \(decision.rawValue) \(style.dot) \(printable(app))", .title)]
            + headingLines("counted", "tokens, exact, as of \(asOf.utcMinuteWithOffset)", style) + [""]
        let held = groups.isEmpty ? ["  The breaker is closed: it holds back no tokens."] : table.lines(style)
        return heading + held + [""] + folded(verdict, to: style.width)
    }

    private var table: TextTable {
        var table = TextTable([
            .init("Environment", isNumber: false, group: 0),
            .init("Topic", isNumber: false, group: 0, isName: true),
            .init("Breaker open since", isNumber: false, group: 1), .init("Tokens held back", group: 1),
        ])
        table.rows = groups.map { group in
            [
                .init(group.environment), .init(group.topic.isEmpty ? "(unknown)" : group.topic),
                .init(group.openedAt.utcMinuteWithOffset), .init(grouped(group.tokenCount), .trouble),
            ]
        }
        if groups.count > 1 { table.totals = [.init("Total", .title), "", "", .init(grouped(tokenCount))] }
        return table
    }

    private var verdict: String {
        let becomes = decision == .release ? "active again" : "retired"
        if let result {
            let stopped = " Stopped between two batches; the breaker is still open. The next run continues."
            return "Done: \(grouped(result.changedCount)) are \(becomes)."
                + (result.wasStopped ? stopped : "")
        }
        guard !groups.isEmpty else { return "Nothing to do." }
        return
            "This is a plan: nothing was changed. With --apply, these \(grouped(tokenCount)) tokens become "
            + "\(becomes) and the breaker is closed."
    }
}

extension TokenRunResult {
    var document: JSONValue {
        ["changed": .integer(changedCount), "was_stopped": .bool(wasStopped)]
    }
}
