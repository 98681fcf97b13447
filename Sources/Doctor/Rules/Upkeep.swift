internal import DeliveryModel
internal import PostgresClient
internal import Reports
internal import TokenLifecycle

/// Servers run maintenance every hour. If they do not, counters of past hours stay unfolded. Events
/// of the past, such as those of an import, leave some too, but only since they came in: what
/// counts is how long the work has been due, not how old the days are.
enum OverdueMaintenance: SingleDiagnosis {
    static let subject = "maintenance"
    static let isAboutTraffic = false

    struct Fact: Hashable, Decodable {
        let unfoldedQuarters: Int64
        let oldest: Instant?
        /// The end of the last complete maintenance run; before the first one, the creation of the
        /// database. Whatever is left to fold came in later.
        let maintainedAt: Instant
    }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> Fact {
        let before = (examination.asOf - .hours(examination.rules.foldedAfterHours)).startOfQuarter
        return try connection.query(
            .Doctor.unfoldedQuarters, [.value(examination.app.appID), .value(before)]
        ).single().decode()
    }

    static func examined(_ fact: Fact, _ examination: Examination) -> Examined {
        .judged("\(Words.count(fact.unfoldedQuarters, "quarter hour")) left to fold")
    }

    static func finding(_ fact: Fact, _ examination: Examination) -> Finding? {
        let rules = examination.rules
        guard fact.unfoldedQuarters > rules.unfoldedQuarters, let oldest = fact.oldest else { return nil }
        let dueSince = max(oldest + .hours(rules.foldedAfterHours), fact.maintainedAt)
        guard examination.asOf - dueSince > .days(rules.maintenanceDays) else { return nil }
        return Finding(
            .maintenanceOverdue, .warning,
            "Counters of \(Words.number(fact.unfoldedQuarters)) quarter hours are not folded, although this "
                + "has been due since \(Words.time(dueSince)).",
            "Maintenance is not running: no partitions are created for future days, old days are not "
                + "dropped, and reports become slower.",
            "landfall-server runs maintenance every hour, 'landfall maintain' runs it at once.",
            command: ["landfall", "maintain"],
            evidence: [
                .init("unfolded_quarters", .integer(fact.unfoldedQuarters)),
                .init("oldest", .string(oldest.rfc3339)), .init("due_since", .string(dueSince.rfc3339)),
            ])
    }
}

/// Silent tokens are swept from cron. If that stops, the only sign is a growing audience.
enum OverdueSweep: SingleDiagnosis {
    static let subject = "sweep"
    static let isAboutTraffic = false

    struct Fact: Hashable, Decodable {
        let createdAt: Instant
        /// `nil` for the standard.
        let staleAfterDays: Int64?
        /// `nil` if never.
        let sweptAt: Instant?
        let hasTokens: Bool
    }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> Fact? {
        let states = [TokenState.active, .suspect, .stale].map(\.rawValue)
        return try connection.query(.Doctor.lastSweep, [.value(examination.app.appID), .array(states)])
            .first?.decode(Fact.self)
    }

    static func examined(_ fact: Fact?, _ examination: Examination) -> Examined {
        guard let fact, fact.hasTokens else { return .nothing }
        guard let sweptAt = fact.sweptAt else { return .neverDone }
        return .judged("last done \(Words.time(sweptAt))")
    }

    /// An app that was never swept has time until the first tokens can be stale.
    static func finding(_ fact: Fact?, _ examination: Examination) -> Finding? {
        guard let fact, fact.hasTokens else { return nil }
        let staleAfterDays = fact.staleAfterDays ?? SweepRules().staleAfterDays
        let start = fact.sweptAt ?? fact.createdAt + .days(staleAfterDays)
        let dueAt = start + .days(examination.rules.sweepDays)
        guard examination.asOf > dueAt else { return nil }
        let last = fact.sweptAt.map {
            "was last swept \(Words.time($0)), \((examination.asOf - $0).roughWords) ago"
        }
        return Finding(
            .sweepOverdue, .warning, "The app \(last ?? "was never swept").",
            "Tokens that have been silent for \(staleAfterDays) days still count in the "
                + "audience, and pushes are sent to them in vain.",
            "Run 'landfall tokens sweep --apply' from cron (docs/tokens.md), or find out why it no "
                + "longer runs: it refuses to run if it would retire too many tokens, and reports that.",
            command: examination.commandWithoutWindow("tokens", "sweep"),
            evidence: [
                .init("swept_at", .optional(fact.sweptAt?.rfc3339)),
                .init("stale_after_days", .integer(staleAfterDays)),
            ])
    }
}

/// Breakers that hold tokens back until an operator decides.
enum OpenBreakers: EachDiagnosis {
    static let subject = "breakers"
    static let isAboutTraffic = false

    static func read(
        _ examination: Examination, on connection: PostgresConnection
    ) throws -> [HeldTokens.Group] {
        try HeldTokens(appID: examination.app.appID, on: connection).groups()
    }

    static func examined(_ facts: [HeldTokens.Group], _ examination: Examination) -> Examined {
        .judged(facts.isEmpty ? "none open" : "\(facts.count) open")
    }

    static func finding(_ fact: HeldTokens.Group, _ examination: Examination) -> Finding {
        let topic = fact.topic.isEmpty ? "without a topic" : "topic \(fact.topic)"
        return Finding(
            .breakerOpen, .problem,
            "The breaker for \(fact.environment), \(topic), has been open since "
                + "\(Words.time(fact.openedAt)) and holds back \(Words.count(fact.heldTokens, "token")).",
            "Responses took too many tokens out of use within ten minutes. Further tokens become "
                + "suspect instead of retired until an operator decides.",
            "If the responses were wrong (a wrong certificate, a wrong host, an error of the "
                + "provider), run 'landfall tokens release'. If the tokens really are dead, run "
                + "'landfall tokens confirm'. Both print a plan first.",
            command: examination.commandWithoutWindow(
                // Passed even if it is empty: '' selects the tokens whose topic is unknown, and
                // no option selects all of them.
                "tokens", "release", options: ["--environment", fact.environment, "--topic", fact.topic]),
            evidence: [
                .init("environment", .string(fact.environment)), .init("topic", .string(fact.topic)),
                .init("opened_at", .string(fact.openedAt.rfc3339)),
                .init("tokens", .integer(fact.heldTokens)),
            ])
    }
}

/// Counters that hardly aggregate anything, because almost every notification has a campaign or a state of
/// its own: reports become slow, and the database grows with every push.
enum ScatteredCounters: Diagnosis {
    static let subject = "campaigns and states"

    struct Hour: Hashable, Decodable {
        /// Its start.
        let hour: Instant
        let states: Int64
        let campaigns: Int64
        let notifications: Int64

        var sent: String {
            "\(Words.number(notifications)) notifications, sent \(Words.span(hour, hour + .hours(1))), are in"
        }

        var evidence: [JSONValue.Member] {
            [
                .init("hour", .string(hour.rfc3339)), .init("notifications", .integer(notifications)),
                .init("campaigns", .integer(campaigns)), .init("states", .integer(states)),
            ]
        }
    }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> [Hour] {
        try examination.query(.Doctor.scatteredCounters, examination.recent, on: connection).decode()
    }

    static func examined(_ hours: [Hour], _ examination: Examination) -> Examined {
        guard let campaigns = hours.map(\.campaigns).max(), let states = hours.map(\.states).max() else {
            return .nothing
        }
        return .judged(
            "at most \(Words.count(campaigns, "campaign")) and \(Words.count(states, "state")) in an hour")
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
            "\(worst.sent) \(Words.number(worst.campaigns)) campaigns.",
            "A campaign of a few pushes has no meaningful rate. Counters have rows of their own for every "
                + "campaign, so reports become slow and the database grows with every push.",
            "Post in campaign a name that many pushes share, such as the name of the template. The id of a "
                + "single push or user does not belong there.",
            command: examination.command("funnel", options: ["--by", "campaign"]), evidence: worst.evidence)
    }

    private static func states(_ hours: [Hour], _ examination: Examination) -> Finding? {
        guard let worst = hours.max(by: { $0.states < $1.states }),
            worst.states >= examination.rules.scatteredStates
        else { return nil }
        return Finding(
            .scatteredStates, .warning,
            "\(worst.sent) \(Words.number(worst.states)) different states.",
            "A few dozen are normal. Counters have rows of their own for every state, so reports become slow "
                + "and the database grows.",
            "Find the sender that posts responses with many different reasons for the same notification. Device "
                + "events in all combinations may be forged: the device key is in every copy of the app.",
            command: examination.command("rejections", options: ["--by", "hour"]), evidence: worst.evidence)
    }
}
