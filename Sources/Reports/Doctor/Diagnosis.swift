internal import PostgresClient

/// One thing that can be wrong. Reading is separate from concluding: facts come from one statement, findings from a pure function.
protocol Diagnosis {
    associatedtype Facts

    /// The subject of the examination, for the summary: `reasons of responses`.
    static var subject: String { get }
    /// Whether it says `.nothing` in an app without notifications and events.
    static var isAboutTraffic: Bool { get }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> Facts
    /// The amount of data that was examined.
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
