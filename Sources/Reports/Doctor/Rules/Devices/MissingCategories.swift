internal import Access
internal import Documents
internal import PostgresClient
internal import SQLFiles
internal import Wording

/// Categories of notifications that the app has not registered with the system.
enum MissingCategories: SingleDiagnosis {
    static let subject = "categories of notifications"
    static let isAboutTraffic = false

    struct Fact: Hashable {
        let category: String
        let installations: Int64
        /// One of theirs; empty if unknown.
        let appVersion: String
    }

    private static let mostCategories: Int64 = 20

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> [Fact] {
        try examination.query(
            .Doctor.missingCategories, examination.recent, .value(mostCategories), on: connection
        ).map { row in
            Fact(
                category: try row.get("category"), installations: try row.get("installations"),
                appVersion: try row.get("app_version"))
        }
    }

    static func examined(_ facts: [Fact], _ examination: Examination) -> Examined {
        .judged(
            facts.isEmpty
                ? "none missing" : "\(Words.count(Int64(facts.count), "category", "categories")) missing")
    }

    static func finding(_ facts: [Fact], _ examination: Examination) -> Finding? {
        let missing = facts.filter { $0.installations >= examination.rules.missingCategories }
        guard let most = missing.first else { return nil }
        let names = missing.map { "\($0.category) (\(Words.number($0.installations)))" }
        return Finding(
            .categoriesMissing, .warning,
            "Installations showed notifications of categories that their app has not registered: "
                + "\(Words.list(names)); app version \(most.appVersion.isEmpty ? "unknown" : most.appVersion), among others.",
            meaning:
                "The system shows such a notification without its actions, and reports no dismissal of it. So no action is "
                + "clicked, and none of them counts as dismissed.",
            remedy:
                "Register the categories with UNUserNotificationCenter.setNotificationCategories at every launch, with one call "
                + "for all of them, or send the category names that the released versions know.",
            command: examination.command("clicks", options: ["--by", "app_version"]),
            evidence: [
                .init(
                    "categories",
                    .object(missing.map { .init($0.category, .integer($0.installations)) }))
            ])
    }
}
