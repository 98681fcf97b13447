internal import Documents
internal import Instants
internal import PostgresClient
internal import Wording

/// Nothing comes in, or far less than usual at this hour of the week.
enum SilentOutage: Diagnosis {
    static let subject = "volume by hour of the week"

    static func read(
        _ examination: Examination, on connection: PostgresConnection
    ) throws -> HourlyVolume {
        try HourlyVolume.read(examination, on: connection)
    }

    static func examined(_ volume: HourlyVolume, _ examination: Examination) -> Examined {
        guard !volume.amounts.isEmpty else { return .nothing }
        let weeks = volume.knownWeeks(examination)
        let pushes = volume.amount(in: lately(examination, hours: examination.hours)).attempted
        let responses = Words.count(pushes, "push", "pushes")
        guard weeks >= examination.rules.leastWeeks else {
            return .tooLittle(
                "\(responses), \(Words.count(weeks, "week", "weeks")) to compare with: \(examination.rules.leastWeeks) are required"
            )
        }
        return .judged("\(responses), against the same hours of \(Words.count(weeks, "week", "weeks"))")
    }

    static func findings(_ volume: HourlyVolume, _ examination: Examination) -> [Finding] {
        if let silence = silence(volume, examination) { return [silence] }
        return MissingArrivals.findings(volume, examination)
    }

    private static func lately(_ examination: Examination, hours: Int64) -> Range<Instant> {
        (examination.lastHourEnd - .hours(hours))..<examination.lastHourEnd
    }

    /// Finds the longest span up to the last whole hour in which far too little was sent, from its first hour on.
    private static func silence(_ volume: HourlyVolume, _ examination: Examination) -> Finding? {
        let rules = examination.rules
        let weeks = volume.knownWeeks(examination)
        guard weeks >= rules.leastWeeks, rules.leastSilentHours <= examination.hours else { return nil }
        for hours in (rules.leastSilentHours...examination.hours).reversed() {
            let span = lately(examination, hours: hours)
            let past = volume.past(span, weeks: weeks, \.attempted)
            guard let expected = Expectation(past, rules) else { continue }
            let now = volume.amount(in: span)
            let first = span.lowerBound..<(span.lowerBound + .hours(1))
            let usual = volume.past(first, weeks: weeks, \.attempted).min() ?? 0
            guard Double(volume.amount(in: first).attempted) <= Double(usual) * rules.silentPart else {
                continue
            }
            guard Double(now.attempted) <= Double(expected.median) * rules.silentPart else { continue }
            return finding(now, expected, hours: hours, examination)
        }
        return nil
    }

    private static func finding(
        _ now: HourlyVolume.Amount, _ expected: Expectation, hours: Int64, _ examination: Examination
    ) -> Finding {
        let devicesReport = now.unmatched >= examination.rules.unmatched
        let heard =
            devicesReport
            ? " Devices report \(Words.number(now.unmatched)) other pushes for which no response was posted."
            : " \(Words.count(now.received, "item", "items")) of any kind \(now.received == 1 ? "was" : "were") received."
        return Finding(
            devicesReport ? .answersMissing : .silentOutage, .problem,
            "\(Words.count(now.attempted, "push has", "pushes have")) a response in the "
                + "\(Words.lastHours(hours)); in these hours of the week, the median of \(expected.weeks) "
                + "weeks is \(Words.number(expected.median)), and no week was below "
                + "\(Words.number(expected.least)).\(heard)",
            meaning: devicesReport
                ? "Pushes are sent and arrive, but the responses that the sender posts do not reach this server."
                : "Nothing is sent, or nothing of it reaches this server. The app itself would not show that.",
            remedy: devicesReport
                ? "Check the path from the sender to POST /v1/events: its key, its log, its queue. Responses "
                    + "that are posted late still count."
                : "Check whether the sender runs, whether its key is valid and whether it reaches this "
                    + "server; responses that are posted late still count.",
            command: examination.command("funnel", options: ["--by", "hour"]),
            evidence: [
                .init("hours", .integer(hours)), .init("attempted", .integer(now.attempted)),
                .init("expected", .integer(expected.median)), .init("least", .integer(expected.least)),
                .init("weeks", .integer(Int64(expected.weeks))), .init("unmatched", .integer(now.unmatched)),
                .init("received", .integer(now.received)),
            ])
    }
}
