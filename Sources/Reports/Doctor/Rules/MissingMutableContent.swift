internal import Access
internal import DeliveryModel
internal import Documents
internal import PostgresClient
internal import SQLFiles
internal import Wording

/// Senders that do not set mutable-content, without which no extension runs.
enum MissingMutableContent: SingleDiagnosis {
    static let subject = "mutable-content of alerts"

    struct Fact: Hashable {
        /// Empty if there is no campaign.
        let campaign: String
        let topic: String
        /// The share of accepted alerts.
        let reportable: Proportion

        var name: String {
            campaign.isEmpty ? "pushes without a campaign" : "campaign \(campaign)"
        }
    }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> [Fact] {
        try examination.query(.Doctor.mutableContent, examination.recent, on: connection).map { row in
            Fact(
                campaign: try row.get("campaign"), topic: try row.get("topic"),
                reportable: Proportion(try row.get("reportable"), of: try row.get("accepted")))
        }
    }

    static func examined(_ facts: [Fact], _ examination: Examination) -> Examined {
        guard !facts.isEmpty else { return .nothing }
        let alerts = Words.count(
            facts.map(\.reportable).sum.denominator, "accepted alert", "accepted alerts")
        guard facts.contains(where: { $0.reportable.denominator >= examination.rules.alerts }) else {
            return .tooLittle(alerts)
        }
        return .judged(alerts)
    }

    static func finding(_ facts: [Fact], _ examination: Examination) -> Finding? {
        let rules = examination.rules
        let missing = facts.filter {
            $0.reportable.denominator >= rules.alerts && $0.reportable.value ?? 1 <= rules.reportableShare
        }
        guard !missing.isEmpty else { return nil }
        let reportable = missing.map(\.reportable).sum
        let all = facts.map(\.reportable).sum
        let without = reportable.denominator - reportable.numerator
        return Finding(
            .mutableContentMissing, .warning,
            "\(Words.number(without)) of \(Words.number(reportable.denominator)) accepted alerts of "
                + "\(Words.list(missing.map(\.name))) were sent without mutable-content; "
                + "\(all.percentWords) of all alerts have it.",
            meaning:
                "Without it, the notification service extension does not run: there is no way to know "
                + "whether these notifications arrive, and pictures are not shown. They are excluded "
                + "from the arrival rate.",
            remedy:
                "Put \"mutable-content\": 1 into aps, and post mutable_content true (or omit it).",
            command: examination.command("funnel", options: ["--by", "campaign"] + topics(missing)),
            evidence: [
                .init(
                    "campaigns",
                    .array(
                        missing.map {
                            [
                                "campaign": .optional($0.campaign.isEmpty ? nil : $0.campaign),
                                "topic": .string($0.topic), "reportable": $0.reportable.json,
                            ]
                        })),
                .init("reportable", reportable.json), .init("all", all.json),
            ])
    }

    private static func topics(_ missing: [Fact]) -> [String] {
        Set(missing.map(\.topic)).filter { !$0.isEmpty }.sorted().flatMap { ["--topic", $0] }
    }
}
