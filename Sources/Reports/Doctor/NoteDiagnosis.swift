internal import Instants
internal import PostgresClient

/// A diagnosis of what servers noted in the database. About the whole database, not an app.
protocol NoteDiagnosis: Diagnosis where Facts == [NotedCondition<Detail>] {
    associatedtype Detail: Decodable & Sendable

    static var condition: DatabaseCondition { get }
    /// The age from which a note no longer counts.
    static var validity: Span { get }
}

extension NoteDiagnosis {
    static var isAboutTraffic: Bool { false }
    static var validity: Span { .days(1) }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> Facts {
        try connection.conditions(condition, as: Detail.self).filter { $0.age < validity }
    }
}
