internal import Access
internal import DeliveryModel
internal import Documents
internal import Instants
internal import PostgresClient
internal import SQLFiles
internal import Wording

/// Posted items that were not valid events and were put into quarantine.
enum RejectedItems: Diagnosis {
    static let subject = "items posted"

    struct Facts: Hashable {
        /// The number of items in quarantine with this code.
        struct Code: Hashable {
            let code: String
            let items: Int64
        }

        let received: Int64
        let rejected: Int64
        /// Codes of the items that were received in these hours, the most frequent first.
        let codes: [Code]

        var share: Proportion { Proportion(rejected, of: received) }
    }

    /// Reads whole hours, because received items are counted by hour.
    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> Facts {
        let rows = try connection.query(
            .Doctor.rejectedItems,
            [
                .value(examination.app.appID), .value(examination.recent.lowerBound.startOfHour),
                .value(examination.lastHourEnd + .hours(1)),
            ])
        return Facts(
            received: try rows.first?.get("received") ?? 0, rejected: try rows.first?.get("rejected") ?? 0,
            codes: try rows.compactMap { row in
                guard let code: String = try row.getOptional("code") else { return nil }
                return Facts.Code(code: code, items: try row.get("items"))
            })
    }

    static func examined(_ facts: Facts, _ examination: Examination) -> Examined {
        guard facts.received > 0 else { return .nothing }
        let words = "\(Words.number(facts.rejected)) of \(Words.number(facts.received)) rejected"
        return facts.received >= examination.rules.rejectedItems ? .judged(words) : .tooLittle(words)
    }

    static func findings(_ facts: Facts, _ examination: Examination) -> [Finding] {
        let rules = examination.rules
        guard facts.rejected >= rules.rejectedItems, let share = facts.share.value,
            share >= rules.rejectedShare
        else { return [] }
        let codes = Words.list(facts.codes.map { "\(Words.number($0.items)) \($0.code)" })
        return [
            Finding(
                .rejectedItems, share >= rules.rejectedProblemShare ? .problem : .warning,
                "\(facts.share.ofWords) items posted (\(facts.share.percentWords)) were rejected"
                    + (codes.isEmpty ? "." : "; the quarantine contains \(codes)."),
                meaning:
                    "They are kept in quarantine, unchanged, and count nowhere until an operator replays "
                    + "them. An item that is posted again is kept once.",
                remedy:
                    "Correct the client that posts them; docs/operations.md explains each code. Then "
                    + "'landfall quarantine replay' accepts what has become valid.",
                command: examination.commandWithoutWindow("quarantine", "list"),
                evidence: [
                    .init("rejected", facts.share.json),
                    .init(
                        "codes",
                        .array(
                            facts.codes.map { ["code": .string($0.code), "items": .integer($0.items)] })),
                ])
        ]
    }
}
