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
            "breakers": breakers.json(groups), "tokens": .integer(tokenCount),
            "applied": result.map(\.document) ?? .null,
        ]
    }

    var csv: CSVText { breakers.csv(groups) }

    private var breakers: Listing<HeldTokens.Group> {
        Listing(
            .text("environment", "Environment", group: 0) { $0.environment },
            .text(
                "topic", "Topic", group: 0, isName: true,
                shown: { group, _ in group.topic.isEmpty ? "(unknown)" : group.topic }
            ) { $0.topic },
            .text(
                "opened_at", "Breaker open since", shown: { group, _ in group.openedAt.utcMinuteWithOffset }
            ) { $0.openedAt.rfc3339 },
            .count("tokens", "Tokens held back", ink: .trouble) { $0.tokenCount },
            .constant("app", app), .constant("as_of", asOf.rfc3339))
    }

    func lines(_ style: OutputStyle) -> [String] {
        let heading =
            [style.paint("Tokens \(decision.rawValue) \(style.dot) \(printable(app))", .title)]
            + headingLines("counted", "tokens, exact, as of \(asOf.utcMinuteWithOffset)", style) + [""]
        var table = breakers.table(groups, style)
        if groups.count > 1 { table.totals = [.init("Total", .title), "", "", .init(grouped(tokenCount))] }
        let held = groups.isEmpty ? ["  The breaker is closed: it holds back no tokens."] : table.lines(style)
        return heading + held + [""] + folded(verdict, to: style.width)
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
