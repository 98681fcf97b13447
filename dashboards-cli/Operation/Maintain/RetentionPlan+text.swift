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
        Listing<Instant>(
            .text("day") { $0.utcDate }, .number("stored_days") { _ in stored.map(Self.days) },
            .number("wanted_days") { _ in Self.days(wanted) }, .constant("as_of", clock.rfc3339)
        ).csv(days)
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
            Remark("days", Int64(days.count), span),
            Remark("notifications", notifications, "of these days"),
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
