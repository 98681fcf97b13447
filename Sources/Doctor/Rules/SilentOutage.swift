internal import DeliveryModel
internal import PostgresClient
internal import Reports

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
                "\(responses), \(Words.count(weeks, "week")) to compare with: \(examination.rules.leastWeeks) are required"
            )
        }
        return .judged("\(responses), against the same hours of \(Words.count(weeks, "week"))")
    }

    static func findings(_ volume: HourlyVolume, _ examination: Examination) -> [Finding] {
        if let silence = silence(volume, examination) { return [silence] }
        return MissingArrivals.findings(volume, examination)
    }

    private static func lately(_ examination: Examination, hours: Int64) -> Range<Instant> {
        (examination.lastHourEnd - .hours(hours))..<examination.lastHourEnd
    }

    /// Finds the longest span up to the last whole hour in which far too little was sent from the start.
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
            : " \(Words.count(now.received, "item")) of any kind \(now.received == 1 ? "was" : "were") received."
        return Finding(
            devicesReport ? .answersMissing : .silentOutage, .problem,
            "\(Words.count(now.attempted, "push has", "pushes have")) a response in the "
                + "\(Words.lastHours(hours)); in these hours of the week, the median of \(expected.weeks) "
                + "weeks is \(Words.number(expected.median)), and no week was below "
                + "\(Words.number(expected.least)).\(heard)",
            devicesReport
                ? "Pushes are sent and arrive, but the responses that the sender posts do not reach this server."
                : "Nothing is sent, or nothing of it reaches this server. The app itself would not show that.",
            devicesReport
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

/// Responses come in as usual, but devices post nothing anymore: neither arrivals nor clicks.
enum MissingArrivals {
    static func findings(_ volume: HourlyVolume, _ examination: Examination) -> [Finding] {
        let rules = examination.rules
        let usual = Self.usual(volume, examination)
        guard let arrivalShare = usual.arrived.value, let responseShare = usual.responded.value,
            rules.leastSilentHours <= examination.hours
        else { return [] }
        // The last hour is excluded: its arrivals may still be under way.
        let end = examination.lastHourEnd - .hours(1)
        for hours in (rules.leastSilentHours...examination.hours).reversed() {
            let start = end - .hours(hours)
            let first = volume.amount(in: start..<(start + .hours(1)))
            // The span begins with the first hour that is silent itself.
            guard Double(first.arrived) <= Double(first.accepted) * arrivalShare * rules.silentPart else {
                continue
            }
            let now = volume.amount(in: start..<end)
            let expected = Double(now.accepted) * arrivalShare
            let responses = Double(now.responded)
            let expectedResponses = Double(now.accepted) * responseShare
            guard expected >= Double(rules.expected),
                Double(now.arrived) <= expected * rules.silentPart,
                responses <= expectedResponses * rules.silentResponsePart
            else { continue }
            return [finding(now, usual, hours: hours, expected: Int64(expected.rounded()), examination)]
        }
        return []
    }

    /// The usual shares of accepted pushes, in these hours of past weeks.
    private static func usual(
        _ volume: HourlyVolume, _ examination: Examination
    ) -> (arrived: Proportion, responded: Proportion) {
        var past = HourlyVolume.Amount()
        for span in HourlyVolume.spans(examination).dropFirst() { past += volume.amount(in: span) }
        guard past.accepted >= examination.rules.reportableBefore else { return (.nothing, .nothing) }
        return (
            Proportion(past.arrived, of: past.accepted), Proportion(past.responded, of: past.accepted)
        )
    }

    private static func finding(
        _ now: HourlyVolume.Amount, _ usual: (arrived: Proportion, responded: Proportion), hours: Int64,
        expected: Int64, _ examination: Examination
    ) -> Finding {
        Finding(
            .arrivalsMissing, .problem,
            "\(Words.number(now.accepted)) pushes were accepted in \(Words.count(hours, "hour")) up "
                + "to an hour ago, but devices reported \(Words.count(now.arrived, "arrival")) "
                + "and \(Words.count(now.responded, "other event")); past weeks suggest "
                + "about \(Words.number(expected)) arrivals.",
            "The pushes may well arrive, but what devices post does not reach this server, whatever the "
                + "version of the app.",
            "Check the path from the devices to POST /v1/events: the device key, the host name and its "
                + "certificate, any firewall or proxy. Devices repeat what was not accepted, so most of it "
                + "may still be received.",
            command: examination.command("funnel", options: ["--by", "hour"]),
            evidence: [
                .init("hours", .integer(hours)), .init("accepted", .integer(now.accepted)),
                .init("arrived", .integer(now.arrived)), .init("responded", .integer(now.responded)),
                .init("expected_arrived", .integer(expected)), .init("usual_arrival", usual.arrived.json),
                .init("usual_response", usual.responded.json),
            ])
    }
}

/// The volume to expect, from the same hours of past weeks.
struct Expectation: Hashable {
    let median: Int64
    let least: Int64
    let weeks: Int

    /// `nil` if the volume was nothing, little or irregular.
    init?(_ past: [Int64], _ rules: DoctorRules) {
        let sorted = past.sorted()
        guard sorted.count >= rules.leastWeeks, let least = sorted.first else { return nil }
        // If their number is even, the lower of the two middle ones: expect less.
        median = sorted[(sorted.count - 1) / 2]
        self.least = least
        weeks = sorted.count
        guard median >= rules.expected, Double(least) >= Double(median) * rules.steadiness else { return nil }
    }
}
