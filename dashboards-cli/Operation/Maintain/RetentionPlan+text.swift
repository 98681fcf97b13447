internal import Documents
internal import Instants
internal import Maintenance
internal import Rendering
internal import Reports
internal import Wording

extension RetentionPlan {
    /// `{"report":"retention_plan",…}`: days in UTC, counts of days and notifications, instants in UTC.
    var document: JSONValue {
        [
            "report": "retention_plan",
            "stored_days": stored.map { .integer(Self.days($0)) } ?? .null,
            "wanted_days": .integer(Self.days(wanted)),
            "as_of": .string(clock.rfc3339),
            "newest_day": newestDay.map { .string($0.utcDate) } ?? .null,
            "days": .integer(Int64(days.count)),
            "first_day": days.first.map { .string($0.utcDate) } ?? .null,
            "last_day": days.last.map { .string($0.utcDate) } ?? .null,
            "notifications": .integer(notifications),
        ]
    }

    var csv: CSVText {
        var text = CSVText(header: ["day", "stored_days", "wanted_days", "as_of"])
        for day in days {
            text.append([
                .text(day.utcDate), stored.map { .integer(Self.days($0)) } ?? .text(""),
                .integer(Self.days(wanted)), .text(clock.rfc3339),
            ])
        }
        return text
    }

    /// - Parameter localClock: this machine's clock, shown if it disagrees with PostgreSQL's.
    func lines(_ style: OutputStyle, localClock: Instant) -> [String] {
        var facts = [
            ("now", stored.map { "kept \(grouped(Self.days($0))) days" } ?? "no retention is stored"),
            ("then", "kept \(grouped(Self.days(wanted))) days"),
            ("clock", "\(clock.utcMinuteWithOffset), by PostgreSQL's clock, which decides"),
        ]
        if abs((localClock - clock).milliseconds) > Span.minutes(1).milliseconds {
            let now = localClock.utcMinuteWithOffset
            facts.append(("", "\(now), by this machine's clock: one of the two is wrong"))
        }
        facts.append(("newest", newestDay.map { "notifications of \($0.utcDate)" } ?? "no notification"))
        let remarks = [
            Remark(name: "days", value: grouped(Int64(days.count)), meaning: span),
            Remark(name: "notifications", value: grouped(notifications), meaning: "of these days"),
        ]
        return [style.paint("Retention", .title)] + facts.flatMap { headingLines($0.0, $0.1, style) }
            + ["", "  would be dropped:"] + Remark.lines(remarks, style, nameWidth: 13) + [""]
            + folded(verdict, to: style.width)
    }

    private var verdict: String {
        days.isEmpty && wanted == stored
            ? "Nothing to do."
            : "This is a plan: nothing was changed. --apply carries it out: counters stay, but the notifications cannot be brought back."
    }

    private var span: String {
        guard let first = days.first, let last = days.last else { return "no day is older than that" }
        return first == last ? first.utcDate : "\(first.utcDate) to \(last.utcDate)"
    }

    private static func days(_ span: Span) -> Int64 { span.milliseconds / Span.days(1).milliseconds }
}
