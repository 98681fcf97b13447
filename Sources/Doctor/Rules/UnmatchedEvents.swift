internal import DeliveryModel
internal import PostgresClient
internal import Reports

/// Device events of notifications without a provider's response on record, an hour after they were sent.
enum UnmatchedEvents: SingleDiagnosis {
    static let subject = "device events without a response"

    struct Fact: Hashable, Decodable {
        let unmatched: Int64
        let attempted: Int64

        /// The share of all notifications that anything is known of.
        var share: Proportion { Proportion(unmatched, of: unmatched + attempted) }
    }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> Fact {
        try examination.query(
            .Doctor.unmatched, examination.settled, .value(DeliveryState.local.rawValue), on: connection
        ).single().decode()
    }

    static func examined(_ fact: Fact, _ examination: Examination) -> Examined {
        guard fact.share.denominator > 0 else { return .nothing }
        let words =
            "\(Words.number(fact.unmatched)) of \(Words.count(fact.share.denominator, "notification"))"
        return fact.share.denominator >= examination.rules.unmatched ? .judged(words) : .tooLittle(words)
    }

    static func finding(_ fact: Fact, _ examination: Examination) -> Finding? {
        let rules = examination.rules
        guard fact.unmatched >= rules.unmatched,
            fact.share.surelyAtLeast(rules.sureness) >= rules.unmatchedShare
        else { return nil }
        let isProblem = (fact.share.value ?? 0) >= rules.unmatchedProblemShare
        return Finding(
            .unmatchedEvents, isProblem ? .problem : .warning,
            "Devices report \(Words.number(fact.unmatched)) notifications, sent more than an hour ago, "
                + "for which no response was posted: \(fact.share.percentWords) of all "
                + "\(Words.number(fact.share.denominator)).",
            "Another sender pushes to this app without posting its responses, or responses are lost "
                + "on the way. These notifications count in no report.",
            "Find the sender that does not post the responses of its provider, or that puts a "
                + "different id into the payload than it posts. Notifications that the app shows by "
                + "itself should have source local.",
            command: examination.command("funnel", options: ["--by", "hour"]),
            evidence: [
                .init("unmatched", .integer(fact.unmatched)), .init("attempted", .integer(fact.attempted)),
                .init("share", fact.share.json),
            ])
    }
}

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
            "Most likely a sender puts one notification_id into the payload of many devices, or two senders "
                + "number their pushes alike. The events count as misdirected and in no other figure.",
            "Send each device a notification_id of its own, with a prefix for each sender if the ids are "
                + "numbers, or post message_id instead. Otherwise, look for "
                + "devices that share a token since a backup was restored, and for ids that leaked: with "
                + "landfall app set receipts, only devices that received a notification can report it.",
            command: examination.command(
                "funnel", options: ["--by", "campaign", "--sort", "misdirected"]),
            evidence: [
                .init("misdirected", .integer(share.numerator)),
                .init("reported", .integer(share.denominator)), .init("share", share.json),
            ])
    }
}
