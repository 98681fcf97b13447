internal import Access
internal import DeliveryModel
internal import Documents
internal import PostgresClient
internal import SQLFiles
internal import Wording

/// Notifications that another installation reported than the one that the push went to.
enum MisdirectedEvents: SingleDiagnosis {
    static let subject = "installations that report"

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> Proportion {
        let row = try examination.query(.Doctor.misdirected, examination.settled, on: connection).single()
        return Proportion(try row.get("misdirected"), of: try row.get("reported"))
    }

    static func examined(_ share: Proportion, _ examination: Examination) -> Examined {
        guard share.denominator > 0 else { return .nothing }
        let words = "\(share.ofWords) notifications reported by another"
        return share.denominator >= examination.rules.misdirected ? .judged(words) : .tooLittle(words)
    }

    static func finding(_ share: Proportion, _ examination: Examination) -> Finding? {
        let rules = examination.rules
        guard share.numerator >= rules.misdirected,
            share.surelyAtLeast(rules.sureness) >= rules.misdirectedShare
        else { return nil }
        let isProblem = (share.value ?? 0) >= rules.misdirectedProblemShare
        return Finding(
            .misdirectedEvents, isProblem ? .problem : .warning,
            "Installations that the pushes did not go to report \(share.ofWords) notifications: "
                + "\(share.percentWords).",
            meaning:
                "Most likely a sender puts one notification_id into the payload of many devices. Their events "
                + "count as misdirected and in no other figure.",
            remedy:
                "Send each device a notification_id of its own, or post message_id instead. Otherwise, look for devices "
                + "that share a token since a backup was restored, and for ids that leaked: with landfall app set "
                + "receipts, only devices that received a notification can report it.",
            command: examination.command(
                "funnel", options: ["--by", "campaign", "--sort", "misdirected"]),
            evidence: [
                .init("misdirected", .integer(share.numerator)),
                .init("reported", .integer(share.denominator)),
                .init("share", share.json),
            ])
    }
}
