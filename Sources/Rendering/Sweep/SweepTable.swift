internal import DeliveryModel
internal import Reports
internal import TokenLifecycle
internal import Wording

/// `landfall tokens sweep` as text.
package struct SweepTable {
    let report: SweepReport
    let style: OutputStyle

    package init(report: SweepReport, style: OutputStyle) {
        (self.report, self.style) = (report, style)
    }

    package var lines: [String] {
        let asOf = LocalTime(report.asOf, utcOffsetMinutes: 0).toTheMinuteWithOffset
        let days =
            "stale after \(report.rules.staleAfterDays) days of silence, retired "
            + "\(report.rules.sweepAfterDays) days later"
        let heading =
            [
                style.paint("Sweep \(style.dot) \(printable(report.app))", .title)
            ] + headingLines("rules", days, style)
            + headingLines("counted", "tokens, exact, as of \(asOf)", style) + [""]
        let plan =
            report.plan.groups.isEmpty
            ? ["  No token has been silent for that long.", ""] : table.lines(style) + [""]
        return heading + plan + Remark.lines(remarks, style, nameWidth: 13) + [""]
            + folded(verdict, to: style.width)
    }

    private var table: TextTable {
        var table = TextTable([
            .init("Becomes", isNumber: false, group: 0), .init("From", isNumber: false, group: 0),
            .init("Silent for", isNumber: false, group: 0), .init(bar: "of largest", group: 1),
            .init("Tokens", group: 1),
        ])
        let largest = report.plan.groups.map(\.tokenCount).max() ?? 0
        table.rows = report.plan.groups.map { group in
            let ink: Ink = group.rule == .swept ? .aside : .clicked
            return [
                .init(group.rule == .swept ? "retired" : "stale"),
                .init(group.cause.map { "\(group.from.rawValue) (\($0))" } ?? group.from.rawValue),
                .init("\(group.silentDays) to \(group.silentDays + 29) days"),
                .bar(group.tokenCount, of: largest, ink, width: 20, style),
                .init(grouped(group.tokenCount)),
            ]
        }
        return table
    }

    private var remarks: [Remark] {
        let plan = report.plan
        return [
            Remark(
                name: "becomes stale", value: grouped(plan.staleCount),
                meaning: "silent; any sign of life makes it active again"),
            Remark(
                name: "retires", value: grouped(plan.retiredCount),
                meaning:
                    "\(percent(plan.retiredShare)) % of \(grouped(plan.tokenCount)) tokens; values are erased"
            ),
            Remark(
                name: "expires", value: grouped(plan.expiredCount),
                meaning:
                    "past the expiry that the app gave, such as ended Live Activities; values are erased"),
            Remark(
                name: "audience lost", value: grouped(plan.lostAudienceCount),
                meaning:
                    "\(percent(plan.lostAudienceShare)) % of \(grouped(plan.audienceCount)) installations"),
        ] + report.past.rows.map(remark)
    }

    /// A stale token that comes back is expected; a retired one that comes back is a false death.
    private func remark(_ past: PastSweeps.Row) -> Remark {
        let isDeath = past.rule == TokenRule.swept.rawValue
        return Remark(
            name: isDeath ? "false deaths" : "came back", value: grouped(past.revived),
            meaning: "\(past.rate.text(style)) of \(grouped(past.changed)) tokens that sweeps "
                + "\(isDeath ? "retired" : "made stale") in a year became active again")
    }

    private var verdict: String {
        if let result = report.result {
            let stopped = result.wasStopped ? " Stopped between two batches; the next run continues." : ""
            return
                "Done: \(grouped(result.staleCount)) became stale, \(grouped(result.retiredCount)) retired, \(grouped(result.expiredCount)) expired.\(stopped)"
        }
        if report.plan.isEmpty && report.plan.expiredCount == 0 { return "Nothing to do." }
        if let refusal = report.refusal { return "Would be refused: \(refusal.explanation)" }
        return "This is a plan: nothing was changed. --apply carries it out."
    }

    /// The plan as a page. `style` must be the page's.
    package var htmlPage: HTMLPage {
        let asOf = LocalTime(report.asOf, utcOffsetMinutes: 0).toTheMinuteWithOffset
        let sentence =
            report.plan.isEmpty && report.plan.expiredCount == 0
            ? "Nothing to sweep: no token has been silent for that long."
            : report.refusal.map { "A sweep would be refused: \($0.explanation)" }
                ?? "A sweep would make \(grouped(report.plan.staleCount)) tokens stale and retire \(grouped(report.plan.retiredCount))."
        return HTMLPage(
            title: "Sweep", subject: report.app, headline: sentence,
            facts: [
                (
                    "rules",
                    "stale after \(report.rules.staleAfterDays) days of silence, retired \(report.rules.sweepAfterDays) days later"
                ), ("as of", asOf),
            ],
            sections: [.table(PageTable(table, caption: "Tokens by silence")), .remarks(remarks)])
    }
}
