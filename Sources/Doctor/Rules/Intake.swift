internal import DeliveryModel
internal import PostgresClient
internal import Reports

/// Posted items that were not valid events and were put into quarantine.
enum RejectedItems: SingleDiagnosis {
    static let subject = "items posted"

    struct Facts: Hashable {
        /// The number of items in quarantine with this code.
        struct Code: Hashable, Decodable {
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
        var items: Int64 { codes.total(\.items) }
        var deviceItems: Int64 { codes.total(\.deviceItems) }
    }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> Facts {
        let rows = try examination.query(.Doctor.rejectedItems, examination.wholeHours, on: connection)
        return Facts(
            received: try rows.first?.get("received") ?? 0, rejected: try rows.first?.get("rejected") ?? 0,
            codes: try rows.filter { try !$0.isNull("code") }.map { try $0.decode() })
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
            "They are kept in quarantine, unchanged, and count nowhere until an operator replays "
                + "them. An item that is posted again is kept once."
                + (isMostlyFromDevices
                    ? " Anyone can take the device key out of the app, so these may be forged." : ""),
            "Correct the client that posts them; docs/operations.md explains each code. Then "
                + "'landfall quarantine replay' accepts what has become valid.",
            command: examination.commandWithoutWindow(
                "quarantine", "list", options: isMostlyFromDevices ? ["--poster", "device"] : []),
            evidence: [
                .init("rejected", facts.share.json),
                .init("codes", facts.codes) { ["code": .string($0.code), "items": .integer($0.items)] },
                .init("device_items", .integer(facts.deviceItems)),
            ])
    }

    private static func devices(_ facts: Facts) -> String {
        guard facts.deviceItems > 0 else { return "" }
        let isAll = facts.deviceItems == facts.items
        return " \(isAll ? "All" : Words.number(facts.deviceItems)) of them were posted with a device key."
    }
}

/// Events, new installations and new token values from device keys beyond the app's hourly quotas.
enum SpentQuotas: SingleDiagnosis {
    static let subject = "quotas of devices"

    struct Facts: Hashable, Decodable {
        var unmatchedEvents: Int64 = 0
        var newInstallations: Int64 = 0
        var rejectedEvents: Int64 = 0
        var rejectedInstallations: Int64 = 0
        var rejectedValues: Int64 = 0
        /// The number of hours with rejections.
        var hours: Int64 = 0

        var rejected: Int64 { rejectedEvents + rejectedInstallations + rejectedValues }
    }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> Facts {
        try examination.query(.Doctor.quotaUse, examination.wholeHours, on: connection).single().decode()
    }

    static func examined(_ facts: Facts, _ examination: Examination) -> Examined {
        guard facts != Facts() else { return .nothing }
        return .judged(
            "\(Words.count(facts.unmatchedEvents, "unmatched event")), "
                + Words.count(facts.newInstallations, "new installation"))
    }

    static func finding(_ facts: Facts, _ examination: Examination) -> Finding? {
        guard facts.rejected >= examination.rules.overQuota else { return nil }
        let subjects = [
            (
                facts.rejectedEvents, "event about a notification without a response",
                "events about notifications without a response"
            ),
            (
                facts.rejectedInstallations, "registration of a new installation",
                "registrations of new installations"
            ),
            (facts.rejectedValues, "registration of new token values", "registrations of new token values"),
        ].filter { $0.0 > 0 }.map { Words.count($0.0, $0.1, $0.2) }
        return Finding(
            .quotaExceeded, .problem,
            "\(Words.list(subjects)) got 429 in \(Words.count(facts.hours, "hour")): the app's "
                + "quota, or an address's share of it, was spent.",
            "A client with the device key posts what no sender confirms. Events about notifications with a response are "
                + "recorded as always, and so is everything from servers and from known installations.",
            "If the traffic is your own (a first release of the app, a sender that posts its responses late), raise the "
                + "app's device_quota; behind a proxy, name it in limits.trusted_proxies. Otherwise replace the device key with the next release.",
            command: ["landfall", "app", "show", examination.app.slug],
            evidence: [
                .init("rejected_events", .integer(facts.rejectedEvents)),
                .init("rejected_installations", .integer(facts.rejectedInstallations)),
                .init("rejected_values", .integer(facts.rejectedValues)),
                .init("hours", .integer(facts.hours)),
            ])
    }
}
