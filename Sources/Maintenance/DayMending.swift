internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles

/// Makes the counters of UTC days right again where a server of a version that knew none has folded quarter hours without them,
/// while servers were replaced one after the other (docs/decisions/0028).
///
/// Looks at the days in which something was folded lately, and at one other day of each app, another one every hour: so in
/// time at all of them.
struct DayMending {
    let connection: PostgresConnection

    private static let statements: [SQLFile] = [
        .Maintenance.mendSegmentDays, .Maintenance.mendRejectionDays, .Maintenance.mendLatencyDays,
    ]
    /// Up to and with the one that folding has come to.
    private static let latestDays: Int64 = 3

    /// - Parameter before: what lies before it is folded.
    /// - Returns: how many counters of days were not what their quarter hours say.
    func mend(before: Instant, now: Instant, isStopped: () -> Bool) throws -> Int64 {
        let end = before.startOfUTCDay + .days(1)
        var count: Int64 = 0
        for app in try connection.query(.Access.listApps) {
            let appID: Int64 = try app.get("app_id")
            let first: Instant? = try connection.query(.Maintenance.firstQuarter, [.value(appID)])
                .single().getOptional("first_quarter")
            guard let first else { continue }
            for span in Self.spans(from: first.startOfUTCDay, until: end, now: now) {
                for statement in Self.statements where !isStopped() {
                    count += try connection.query(
                        statement, [.value(appID), .value(span.lowerBound), .value(span.upperBound)]
                    ).single().get(0)
                }
            }
        }
        return count
    }

    /// The latest days together, and the one of those before whose turn it is in this hour.
    static func spans(from first: Instant, until end: Instant, now: Instant) -> [Range<Instant>] {
        guard first < end else { return [] }
        let latest = max(first, end - .days(latestDays))
        let earlierDays = (latest - first).milliseconds / Span.days(1).milliseconds
        guard earlierDays > 0 else { return [latest..<end] }
        let turn = now.millisecondsSinceEpoch / Span.hours(1).milliseconds % earlierDays
        let day = first + .days(max(0, turn))
        return [latest..<end, day..<(day + .days(1))]
    }
}
