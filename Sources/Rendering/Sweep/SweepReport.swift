package import DeliveryModel
package import Documents
package import Instants
internal import Reports
package import TokenLifecycle

/// A sweep in every output format: its plan, or its result.
package struct SweepReport {
    package let app: String
    package let rules: SweepRules
    /// The past sweeps, and how often they were wrong.
    let past: PastSweeps
    package let asOf: Instant
    private(set) var plan: SweepPlan
    /// `nil` for a plan.
    private(set) var result: SweepResult?

    /// A report without a plan, in which there is nothing to do.
    package init(app: String, rules: SweepRules, past: PastSweeps, asOf: Instant) {
        self.app = app
        self.rules = rules
        self.past = past
        self.asOf = asOf
        plan = SweepPlan(groups: [], tokenCount: 0, audienceCount: 0, lostAudienceCount: 0, heardAt: nil)
    }

    package func planned(_ plan: SweepPlan) -> SweepReport {
        var report = self
        report.plan = plan
        return report
    }

    package func applied(_ result: SweepResult) -> SweepReport {
        var report = self
        report.result = result
        return report
    }

    var refusal: SweepRefusal? { plan.refusal(rules, now: asOf) }

    /// `{"report":"sweep",…}`: counts of tokens, shares of 0 to 1, instants in UTC.
    package var document: JSONValue {
        [
            "report": "sweep", "app": .string(app), "as_of": .string(asOf.rfc3339),
            "stale_after_days": .integer(rules.staleAfterDays),
            "sweep_after_days": .integer(rules.sweepAfterDays),
            "max_share": .number(rules.maxShare),
            "groups": .array(plan.groups.map(document)),
            "becomes_stale": .integer(plan.staleCount), "retires": .integer(plan.retiredCount),
            "expires": .integer(plan.expiredCount),
            "tokens": .integer(plan.tokenCount), "audience": .integer(plan.audienceCount),
            "audience_lost": .integer(plan.lostAudienceCount),
            "heard_at": plan.heardAt.map { .string($0.rfc3339) } ?? .null,
            "past": .object(past.rows.map { .init($0.rule, Self.json($0)) }),
            "refusal": refusal.map { .string($0.explanation) } ?? .null,
            "applied": result.map { result in
                [
                    "became_stale": .integer(result.staleCount), "retired": .integer(result.retiredCount),
                    "expired": .integer(result.expiredCount),
                    "was_stopped": .bool(result.wasStopped),
                ]
            } ?? .null,
        ]
    }

    /// Counts of the last 365 days; the rate from 0 to 1 with its 95 % interval.
    private static func json(_ row: PastSweeps.Row) -> JSONValue {
        [
            "changed": .integer(row.changed), "revived": .integer(row.revived),
            "rate": row.rate.value.map { .number($0) } ?? .null,
            "low": row.rate.interval.map { .number($0.lowerBound) } ?? .null,
            "high": row.rate.interval.map { .number($0.upperBound) } ?? .null,
        ]
    }

    private func document(_ group: SweepPlan.Group) -> JSONValue {
        [
            "rule": .string(group.rule.rawValue), "from": .string(group.from.rawValue),
            "cause": group.cause.map { .string($0) } ?? .null,
            "silent_days": .integer(group.silentDays), "tokens": .integer(group.tokenCount),
        ]
    }

    package var csv: CSVText {
        var text = CSVText(header: ["rule", "from", "cause", "silent_days", "tokens", "app", "as_of"])
        for group in plan.groups {
            text.append([
                .text(group.rule.rawValue), .text(group.from.rawValue), .text(group.cause ?? ""),
                .integer(group.silentDays), .integer(group.tokenCount), .text(app), .text(asOf.rfc3339),
            ])
        }
        return text
    }
}

extension SweepResult {
    package var changedCount: Int64 { staleCount + retiredCount + expiredCount }
}

extension SweepRefusal {
    /// The reason for the refusal, and the remedy.
    package var explanation: String {
        switch self {
        case .nobodyHeard(nil):
            "no device of this app has ever been heard from. Let the app register and report arrivals first."
        case .nobodyHeard(let since?):
            "no device has been heard from since \(since.rfc3339). Find out why no events are received "
                + "before tokens are judged by their silence."
        case .tooMany(let share, let maxShare):
            "\(percent(share)) % would be lost, more than the \(percent(maxShare)) % that is allowed. If "
                + "this is correct, use --max-share \((share * 100).rounded(.up) / 100)"
        }
    }
}
