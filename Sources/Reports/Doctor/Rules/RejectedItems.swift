internal import Access
internal import DeliveryModel
internal import Documents
internal import Instants
internal import PostgresClient
internal import SQLFiles
internal import Wording

/// Posted items that were not valid events and were put into quarantine.
enum RejectedItems: SingleDiagnosis {
    static let subject = "items posted"

    struct Facts: Hashable {
        /// The number of items in quarantine with this code.
        struct Code: Hashable {
            let code: String
            let items: Int64
            /// Those that were posted with a device key.
            var deviceItems: Int64 = 0
        }

        let received: Int64
        let rejected: Int64
        /// Codes of the items that were received in these hours, the most frequent first.
        let codes: [Code]

        var share: Proportion { Proportion(rejected, of: received) }
        var items: Int64 { codes.reduce(0) { $0 + $1.items } }
        var deviceItems: Int64 { codes.reduce(0) { $0 + $1.deviceItems } }
    }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> Facts {
        let rows = try examination.query(.Doctor.rejectedItems, examination.wholeHours, on: connection)
        return Facts(
            received: try rows.first?.get("received") ?? 0, rejected: try rows.first?.get("rejected") ?? 0,
            codes: try rows.compactMap { row in
                guard let code: String = try row.getOptional("code") else { return nil }
                return Facts.Code(
                    code: code, items: try row.get("items"), deviceItems: try row.get("device_items"))
            })
    }

    static func examined(_ facts: Facts, _ examination: Examination) -> Examined {
        guard facts.received > 0 else { return .nothing }
        let words = "\(Words.number(facts.rejected)) of \(Words.number(facts.received)) rejected"
        return facts.received >= examination.rules.rejectedItems ? .judged(words) : .tooLittle(words)
    }

    static func finding(_ facts: Facts, _ examination: Examination) -> Finding? {
        let rules = examination.rules
        guard facts.rejected >= rules.rejectedItems, let share = facts.share.value,
            share >= rules.rejectedShare
        else { return nil }
        let isMostlyFromDevices = 2 * facts.deviceItems > facts.items
        let codes = Words.list(facts.codes.map { "\(Words.number($0.items)) \($0.code)" })
        return Finding(
            .rejectedItems, share >= rules.rejectedProblemShare ? .problem : .warning,
            "\(facts.share.ofWords) items posted (\(facts.share.percentWords)) were rejected"
                + (codes.isEmpty ? "." : "; the quarantine contains \(codes).") + devices(facts),
            meaning:
                "They are kept in quarantine, unchanged, and count nowhere until an operator replays "
                + "them. An item that is posted again is kept once."
                + (isMostlyFromDevices
                    ? " Anyone can take the device key out of the app, so these may be forged." : ""),
            remedy:
                "Correct the client that posts them; docs/operations.md explains each code. Then "
                + "'landfall quarantine replay' accepts what has become valid.",
            command: examination.commandWithoutWindow(
                "quarantine", "list", options: isMostlyFromDevices ? ["--poster", "device"] : []),
            evidence: [
                .init("rejected", facts.share.json),
                .init(
                    "codes",
                    .array(
                        facts.codes.map { ["code": .string($0.code), "items": .integer($0.items)] })),
                .init("device_items", .integer(facts.deviceItems)),
            ])
    }

    private static func devices(_ facts: Facts) -> String {
        guard facts.deviceItems > 0 else { return "" }
        let isAll = facts.deviceItems == facts.items
        return " \(isAll ? "All" : Words.number(facts.deviceItems)) of them were posted with a device key."
    }
}
