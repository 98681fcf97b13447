internal import DeliveryModel
internal import Documents
internal import Instants
internal import Wording

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
            "\(Words.number(now.accepted)) pushes were accepted in \(Words.count(hours, "hour", "hours")) up "
                + "to an hour ago, but devices reported "
                + "\(Words.count(now.arrived, "arrival", "arrivals")) and "
                + "\(Words.count(now.responded, "other event", "other events")); past weeks suggest about "
                + "\(Words.number(expected)) arrivals.",
            meaning:
                "The pushes may well arrive, but what devices post does not reach this server, whatever the "
                + "version of the app.",
            remedy:
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
