internal import DeliveryModel
internal import PostgresClient
internal import Reports

/// Senders that put content-available into alerts, although the app reports none of them when it is woken.
enum UnusedWakes: SingleDiagnosis {
    static let subject = "content-available of alerts"
    static let isAboutTraffic = false

    struct Fact: Hashable, Decodable {
        /// Empty if there is no campaign.
        let campaign: String
        let alerts: Int64
        /// Those that the app reported to have received in the background.
        let reported: Int64
        /// Those of which a device reported anything.
        let confirmed: Int64

        var name: String { campaign.isEmpty ? "pushes without a campaign" : "campaign \(campaign)" }
    }

    /// Only the newest pushes with content-available are read: some senders put it into all of them.
    private static let mostPushes: Int64 = 10_000

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> [Fact] {
        try examination.query(
            .Doctor.contentAvailable, examination.settled, .value(mostPushes), on: connection
        ).decode()
    }

    static func examined(_ facts: [Fact], _ examination: Examination) -> Examined {
        guard !facts.isEmpty else { return .judged("none") }
        let alerts = Words.count(facts.total(\.alerts), "accepted alert")
        let isEnough = facts.contains { $0.alerts >= examination.rules.alerts }
        return isEnough ? .judged(alerts) : .tooLittle(alerts)
    }

    static func finding(_ facts: [Fact], _ examination: Examination) -> Finding? {
        let waking = facts.filter { $0.alerts >= examination.rules.alerts }
        guard !waking.isEmpty, facts.total(\.reported) == 0, facts.total(\.confirmed) > 0 else { return nil }
        let alerts = waking.total(\.alerts)
        return Finding(
            .contentAvailableUnused, .warning,
            "\(Words.count(alerts, "accepted alert")) of \(Words.list(waking.map(\.name))) had "
                + "content-available, and the app reported none of them from the background.",
            "iOS hands such an alert to the app when it arrives, and again when it is presented or tapped. "
                + "An app that does not expect this counts it twice, and one that fetches nothing is woken "
                + "in vain.",
            "Leave content-available out of alerts. If the app does fetch something, let it report these "
                + "pushes: Landfall.didReceiveRemoteNotification, or an arrival with evidence app.",
            command: examination.command("funnel", options: ["--by", "campaign"]),
            evidence: [
                .init("campaigns", waking) {
                    [
                        "campaign": .optional($0.campaign.isEmpty ? nil : $0.campaign),
                        "alerts": .integer($0.alerts),
                    ]
                },
                .init("alerts", .integer(alerts)),
            ])
    }
}
