internal import DeliveryModel
internal import PostgresClient

/// One thing that can be wrong. Reading is separate from concluding: facts come from one statement, findings
/// from a pure function.
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

/// A diagnosis that finds at most one thing in an app.
protocol SingleDiagnosis: Diagnosis {
    static func finding(_ facts: Facts, _ examination: Examination) -> Finding?
}

extension SingleDiagnosis {
    static func findings(_ facts: Facts, _ examination: Examination) -> [Finding] {
        finding(facts, examination).map { [$0] } ?? []
    }
}

/// A diagnosis that finds one thing for each fact.
protocol EachDiagnosis: Diagnosis where Facts == [Fact] {
    associatedtype Fact

    static func finding(_ fact: Fact, _ examination: Examination) -> Finding
}

extension EachDiagnosis {
    static func findings(_ facts: [Fact], _ examination: Examination) -> [Finding] {
        facts.map { finding($0, examination) }
    }
}

extension Examination {
    /// Asks about the app and a span.
    ///
    /// - Parameter more: the statement's parameters after the app, the start and the end.
    func query(
        _ statement: SQLFile, _ span: Range<Instant>, _ more: PostgresParameter...,
        on connection: PostgresConnection
    ) throws(PostgresError) -> PostgresRows {
        try connection.query(
            statement, [.value(app.appID), .value(span.lowerBound), .value(span.upperBound)] + more)
    }
}

/// A diagnosis of what servers noted in the database. About the whole database, not an app.
protocol NoteDiagnosis: EachDiagnosis where Fact == NotedCondition<Detail> {
    associatedtype Detail: Decodable & Sendable

    static var condition: DatabaseCondition { get }
    /// The age from which a note no longer counts.
    static var validity: Span { get }
}

extension NoteDiagnosis {
    static var isAboutTraffic: Bool { false }
    static var validity: Span { .days(1) }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> [Fact] {
        try connection.conditions(condition, as: Detail.self).filter { $0.age < validity }
    }
}

/// The amount of data that was examined, in words.
public enum Examined: Hashable, Sendable {
    /// Enough to say whether something is wrong.
    case judged(String)
    /// Too little for a verdict.
    case tooLittle(String)
    /// There is data, but the work to be judged was never done.
    case neverDone
    case nothing
}

/// The result of one diagnosis.
public struct Checkup: Hashable, Sendable {
    public let subject: String
    public let isAboutTraffic: Bool
    public let examined: Examined
    public let findings: [Finding]

    /// The checkup without these findings.
    func without(_ ids: Set<Finding.ID>) -> Checkup {
        Checkup(
            subject: subject, isAboutTraffic: isAboutTraffic, examined: examined,
            findings: findings.filter { !ids.contains($0.id) })
    }
}
