internal import DeliveryModel
internal import Documents
internal import Instants
internal import PostgresClient
internal import Wording

/// Requests about installations that servers rejected because they carried no credential.
enum MissingCredentials: SingleDiagnosis {
    static let subject = "credentials of installations"
    static let isAboutTraffic = false

    /// Servers note what they rejected twice a minute, so this is the latest minute with rejections of the last hour.
    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> Int64 {
        try connection.conditions(.credentialsMissing, as: RequestsWithoutCredential.self)
            .filter { $0.age < .hours(1) }.reduce(0) { $0 + $1.detail.count }
    }

    static func examined(_ facts: Int64, _ examination: Examination) -> Examined {
        .judged(facts == 0 ? "none missing" : "\(Words.count(facts, "request", "requests")) without one")
    }

    static func finding(_ facts: Int64, _ examination: Examination) -> Finding? {
        guard facts >= examination.rules.missingCredentials else { return nil }
        return Finding(
            .credentialsMissing, .warning,
            "Within half a minute of the last hour, \(Words.count(facts, "request", "requests")) of devices got 403 "
                + "credential_required.",
            meaning:
                "Either a version of the app does not keep the credential that its first registration returned, so its devices "
                + "cannot register their new tokens, or someone tries to act for installations of others.",
            remedy:
                "Let the app keep the credential and send it as Landfall-Credential; with one of its current tokens, a device "
                + "gets a new one (docs/trust.md). Until a version that does so is released: landfall app set credentials "
                + "observe.",
            command: ["landfall", "app", "show"], evidence: [.init("rejected", .integer(facts))])
    }
}
