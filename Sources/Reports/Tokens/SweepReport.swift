public import DeliveryModel
public import TokenLifecycle

/// A sweep: its plan, or its result. Counts of tokens, shares of 0 to 1, instants in UTC.
public struct SweepReport: Sheeted {
    let app: App
    public let rules: SweepRules
    /// The past sweeps, and how often they were wrong.
    let past: PastSweeps
    public let asOf: Instant
    /// Nothing to do until it is known.
    public var plan = SweepPlan()
    /// `nil` for a plan.
    public var result: SweepResult?

    public init(app: App, rules: SweepRules, past: PastSweeps, asOf: Instant) {
        (self.app, self.rules, self.past, self.asOf) = (app, rules, past, asOf)
    }

    private var fields: [SheetField<SweepPlan.Group?>] {
        func words(_ id: String, title: String, _ value: @escaping (SweepPlan.Group) -> SheetValue)
            -> SheetField<SweepPlan.Group?>
        {
            SheetField(SheetColumn(id, .words, title: title, at: [id], in: [.rows, .csv])) {
                $0.map(value) ?? .none
            }
        }
        return [
            words("rule", title: "Becomes") {
                .words($0.rule.rawValue, title: $0.rule == .swept ? "retired" : "stale")
            },
            words("from", title: "From") { group in
                .words(group.from.rawValue, title: group.cause.map { "\(group.from.rawValue) (\($0))" })
            },
            .words("cause") { $0?.cause },
            .count("silent_days", at: ["silent_days"], in: [.rows, .csv]) { $0?.silentDays },
            .count("tokens", at: ["tokens"], in: [.rows, .csv]) { $0?.tokenCount },
            .words("silent_for", title: "Silent for", in: .nowhere) {
                $0.map { "\($0.silentDays) to \($0.silentDays + 29) days" }
            }, .constant("app", app.slug), .constant("as_of", asOf.rfc3339),
        ]
    }

    public var sheet: Sheet {
        let (time, refusal) = (asOf.utcMinuteWithOffset, plan.refusal(rules, now: asOf))
        let sweepRules =
            "stale after \(rules.staleAfterDays) days of silence, retired \(rules.sweepAfterDays) days later"
        var sheet = Sheet(
            "Sweep", of: app, asOf: asOf,
            members: [
                "report": "sweep", "app": .string(app.slug), "as_of": .string(asOf.rfc3339),
                "stale_after_days": .integer(rules.staleAfterDays),
                "sweep_after_days": .integer(rules.sweepAfterDays), "max_share": .number(rules.maxShare),
            ], facts: [("rules", sweepRules), ("counted", "tokens, exact, as of \(time)")], fields,
            rows: plan.groups, totals: nil)
        sheet.pageFacts = [("rules", sweepRules), ("as of", time)]
        sheet.rowsMember = "groups"
        sheet.followingMembers = followingMembers(refusal)
        sheet.headline = headline(refusal)
        sheet.table = [
            ["rule", "from", "silent_for"],
            [
                .bar(
                    SheetBar(
                        "of largest", "tokens", .clicked, inks: ("rule", [TokenRule.swept.rawValue: .aside]),
                        width: 20)), "tokens",
            ],
        ]
        sheet.tableTitle = "Tokens by silence"
        sheet.emptyTable = "No token has been silent for that long."
        (sheet.isTableFirst, sheet.hasTableTotals) = (true, false)
        sheet.remarks = remarks
        (sheet.note, sheet.isNoteOnPage) = (verdict(refusal), false)
        return sheet
    }

    private func followingMembers(_ refusal: SweepRefusal?) -> [JSONValue.Member] {
        let past = past.rows.map { row in
            JSONValue.Member(
                row.rule,
                [
                    "changed": .integer(row.changed), "revived": .integer(row.revived),
                    "rate": .optional(row.rate.value), "low": .optional(row.rate.interval?.lowerBound),
                    "high": .optional(row.rate.interval?.upperBound),
                ])
        }
        let applied = result.map { result -> JSONValue in
            [
                "became_stale": .integer(result.staleCount), "retired": .integer(result.retiredCount),
                "expired": .integer(result.expiredCount), "was_stopped": .bool(result.wasStopped),
            ]
        }
        return [
            .init("becomes_stale", .integer(plan.staleCount)), .init("retires", .integer(plan.retiredCount)),
            .init("expires", .integer(plan.expiredCount)), .init("tokens", .integer(plan.tokenCount)),
            .init("audience", .integer(plan.audienceCount)),
            .init("audience_lost", .integer(plan.lostAudienceCount)),
            .init("heard_at", .optional(plan.heardAt?.rfc3339)), .init("past", .object(past)),
            .init("refusal", .optional(refusal?.explanation)), .init("applied", applied ?? .null),
        ]
    }

    private var remarks: [SheetRemark] {
        let retires = "\(Words.percent(plan.retiredShare)) % of \(Words.number(plan.tokenCount)) tokens"
        let lost = "\(Words.percent(plan.lostAudienceShare)) % of \(Words.number(plan.audienceCount))"
        return [
            SheetRemark(
                "becomes stale", .count(plan.staleCount),
                "silent; any sign of life makes it active again"),
            SheetRemark("retires", .count(plan.retiredCount), "\(retires); values are erased"),
            SheetRemark(
                "expires", .count(plan.expiredCount),
                "past the expiry that the app gave, such as ended Live Activities; values are erased"),
            SheetRemark("audience lost", .count(plan.lostAudienceCount), "\(lost) installations"),
        ]
            + past.rows.map { row -> SheetRemark in
                // A stale token that comes back is expected; a retired one that comes back is a false death.
                let isDeath = row.rule == TokenRule.swept.rawValue
                return SheetRemark(
                    isDeath ? "false deaths" : "came back", .count(row.revived), share: row.rate,
                    "of \(Words.number(row.changed)) tokens that sweeps "
                        + "\(isDeath ? "retired" : "made stale") in a year became active again")
            }
    }

    private var hasNothingToDo: Bool { plan.isEmpty && plan.expiredCount == 0 }

    private func headline(_ refusal: SweepRefusal?) -> String {
        if hasNothingToDo { return "Nothing to sweep: no token has been silent for that long." }
        if let refusal { return "A sweep would be refused: \(refusal.explanation)" }
        return "A sweep would make \(Words.number(plan.staleCount)) tokens stale and retire "
            + "\(Words.number(plan.retiredCount))."
    }

    private func verdict(_ refusal: SweepRefusal?) -> String {
        if let result {
            let stopped = result.wasStopped ? " Stopped between two batches; the next run continues." : ""
            return
                "Done: \(Words.number(result.staleCount)) became stale, \(Words.number(result.retiredCount)) retired, "
                + "\(Words.number(result.expiredCount)) expired.\(stopped)"
        }
        if hasNothingToDo { return "Nothing to do." }
        if let refusal { return "Would be refused: \(refusal.explanation)" }
        return "This is a plan: nothing was changed. --apply carries it out."
    }
}

extension SweepRefusal {
    /// The reason for the refusal, and the remedy.
    public var explanation: String {
        switch self {
        case .nobodyHeard(nil):
            "no device of this app has ever been heard from. Let the app register and report arrivals first."
        case .nobodyHeard(let since?):
            "no device has been heard from since \(since.rfc3339). Find out why no events are received "
                + "before tokens are judged by their silence."
        case .tooMany(let share, let maxShare):
            "\(Words.percent(share)) % would be lost, more than the \(Words.percent(maxShare)) % that is allowed. If "
                + "this is correct, use --max-share \((share * 100).rounded(.up) / 100)"
        }
    }
}
