internal import Access
internal import DeliveryModel
internal import Documents
internal import Instants
internal import PostgresClient
internal import SQLFiles
internal import Wording

/// Events, new installations and new token values from device keys beyond the app's hourly quotas.
enum SpentQuotas: SingleDiagnosis {
    static let subject = "quotas of devices"

    struct Facts: Hashable {
        var unmatchedEvents: Int64 = 0
        var newInstallations: Int64 = 0
        var rejectedEvents: Int64 = 0
        var rejectedInstallations: Int64 = 0
        var rejectedValues: Int64 = 0

        var rejected: Int64 { rejectedEvents + rejectedInstallations + rejectedValues }
        /// The number of hours with rejections.
        var hours: Int64 = 0
    }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> Facts {
        let row = try examination.query(.Doctor.quotaUse, examination.wholeHours, on: connection).single()
        return Facts(
            unmatchedEvents: try row.get("unmatched_events"),
            newInstallations: try row.get("new_installations"),
            rejectedEvents: try row.get("rejected_events"),
            rejectedInstallations: try row.get("rejected_installations"),
            rejectedValues: try row.get("rejected_values"), hours: try row.get("hours"))
    }

    static func examined(_ facts: Facts, _ examination: Examination) -> Examined {
        guard facts != Facts() else { return .nothing }
        return .judged(
            "\(Words.count(facts.unmatchedEvents, "unmatched event", "unmatched events")), "
                + Words.count(facts.newInstallations, "new installation", "new installations"))
    }

    static func finding(_ facts: Facts, _ examination: Examination) -> Finding? {
        guard facts.rejected >= examination.rules.overQuota else { return nil }
        let subjects = [
            facts.rejectedEvents > 0
                ? Words.count(
                    facts.rejectedEvents, "event about a notification without a response",
                    "events about notifications without a response") : nil,
            facts.rejectedInstallations > 0
                ? Words.count(
                    facts.rejectedInstallations, "registration of a new installation",
                    "registrations of new installations") : nil,
            facts.rejectedValues > 0
                ? Words.count(
                    facts.rejectedValues, "registration of new token values",
                    "registrations of new token values") : nil,
        ].compactMap(\.self)
        return Finding(
            .quotaExceeded, .problem,
            "\(Words.list(subjects)) got 429 in \(Words.count(facts.hours, "hour", "hours")): the app's quota, "
                + "or an address's share of it, was spent.",
            meaning:
                "A client with the device key posts what no sender confirms. Events about notifications with a response are "
                + "recorded as always, and so is everything from servers and from known installations.",
            remedy:
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
