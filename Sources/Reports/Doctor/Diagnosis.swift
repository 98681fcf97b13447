internal import PostgresClient

/// One thing that can be wrong. What is read is kept apart from what is concluded: facts come from one SQL file, findings from a
/// pure function.
protocol Diagnosis {
    associatedtype Facts

    /// What is looked at, for the summary: `answers of providers`.
    static var subject: String { get }
    /// Whether it looks at notifications and events, and not at the database's own upkeep.
    static var isAboutTraffic: Bool { get }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> Facts
    /// How much there was to look at.
    static func examined(_ facts: Facts, _ examination: Examination) -> Examined
    static func findings(_ facts: Facts, _ examination: Examination) -> [Finding]
}

extension Diagnosis {
    static var isAboutTraffic: Bool { true }

    static func checkup(_ examination: Examination, on connection: PostgresConnection) throws -> Checkup {
        let facts = try read(examination, on: connection)
        return Checkup(
            subject: subject, isAboutTraffic: isAboutTraffic, examined: examined(facts, examination),
            findings: findings(facts, examination))
    }
}
