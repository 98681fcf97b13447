internal import Access
internal import Documents
internal import Instants
internal import PostgresClient
internal import SQLFiles
internal import Wording

/// Counters that hardly aggregate anything, because almost every notification has a campaign or a state of its own: reports
/// become slow, and the database grows with every push.
enum ScatteredCounters: Diagnosis {
    static let subject = "campaigns and states"

    struct Hour: Hashable {
        let start: Instant
        let states: Int64
        let campaigns: Int64
        let notifications: Int64

        var span: String { Words.span(start, start + .hours(1)) }
    }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> [Hour] {
        try examination.query(.Doctor.scatteredCounters, examination.recent, on: connection).map { row in
            Hour(
                start: try row.get("hour"), states: try row.get("states"),
                campaigns: try row.get("campaigns"), notifications: try row.get("notifications"))
        }
    }

    static func examined(_ hours: [Hour], _ examination: Examination) -> Examined {
        guard let campaigns = hours.map(\.campaigns).max(), let states = hours.map(\.states).max() else {
            return .nothing
        }
        return .judged(
            "at most \(Words.count(campaigns, "campaign", "campaigns")) and "
                + "\(Words.count(states, "state", "states")) in an hour")
    }

    static func findings(_ hours: [Hour], _ examination: Examination) -> [Finding] {
        [campaigns(hours, examination), states(hours, examination)].compactMap(\.self)
    }

    private static func campaigns(_ hours: [Hour], _ examination: Examination) -> Finding? {
        let rules = examination.rules
        let scattered = hours.filter {
            Double($0.campaigns) >= Double($0.notifications) * rules.scatteredShare
        }
        guard let worst = scattered.max(by: { $0.campaigns < $1.campaigns }),
            worst.campaigns >= rules.scatteredCampaigns
        else { return nil }
        return Finding(
            .scatteredCampaigns, .warning,
            "\(Words.number(worst.notifications)) notifications, sent \(worst.span), are in "
                + "\(Words.number(worst.campaigns)) campaigns.",
            meaning:
                "A campaign of a few pushes has no meaningful rate. Counters have rows of their own for every "
                + "campaign, so reports become slow and the database grows with every push.",
            remedy:
                "Post in campaign a name that many pushes share, such as the name of the template. The id of a single "
                + "push or user does not belong there.",
            command: examination.command("funnel", options: ["--by", "campaign"]),
            evidence: evidence(worst))
    }

    private static func states(_ hours: [Hour], _ examination: Examination) -> Finding? {
        guard let worst = hours.max(by: { $0.states < $1.states }),
            worst.states >= examination.rules.scatteredStates
        else { return nil }
        return Finding(
            .scatteredStates, .warning,
            "\(Words.number(worst.notifications)) notifications, sent \(worst.span), are in "
                + "\(Words.number(worst.states)) different states.",
            meaning:
                "A few dozen are normal. Counters have rows of their own for every state, so reports become slow and "
                + "the database grows.",
            remedy:
                "Find the sender that posts responses with many different reasons for the same notification. Device "
                + "events in all combinations may be forged: the device key is in every copy of the app.",
            command: examination.command("rejections", options: ["--by", "hour"]),
            evidence: evidence(worst))
    }

    private static func evidence(_ hour: Hour) -> [JSONValue.Member] {
        [
            .init("hour", .string(hour.start.rfc3339)),
            .init("notifications", .integer(hour.notifications)),
            .init("campaigns", .integer(hour.campaigns)), .init("states", .integer(hour.states)),
        ]
    }
}
