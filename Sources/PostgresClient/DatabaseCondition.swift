public import DeliveryModel
internal import Foundation
internal import SQLFiles

/// What is out of the ordinary about the database or its servers, noted there by the one that notices it, for `landfall doctor`.
public enum DatabaseCondition: String, Sendable {
    /// Maintenance keeps days that the configuration would drop.
    case retentionHeld = "retention_held"
    /// A server's clock differs from PostgreSQL's.
    case serverClock = "server_clock"
    /// A server restarted the private cluster.
    case clusterRestarted = "cluster_restarted"
}

/// A condition as it was noted last.
public struct NotedCondition<Detail: Sendable>: Sendable {
    /// The server that noted it, `host:port`; empty for a command.
    public let source: String
    public let notedAt: Instant
    /// How long ago that was, by PostgreSQL's clock.
    public let age: Span
    public let detail: Detail
}

extension PostgresConnection {
    /// The time by PostgreSQL's clock, the one that all servers of a database share.
    public func clock() throws(PostgresError) -> Instant {
        try query(.Administration.clock).single().get(0)
    }

    /// Notes a condition, or, without a detail, that it has passed.
    public func note(
        _ condition: DatabaseCondition, from source: String, _ detail: (some Encodable)?
    ) throws {
        guard let detail else { return try forget(condition, from: source) }
        let text = String(decoding: try JSONEncoder().encode(detail), as: UTF8.self)
        try query(
            .Administration.noteCondition, [.value(condition.rawValue), .value(source), .value(text)])
    }

    /// A condition has passed: for one source, or, without one, for all.
    public func forget(_ condition: DatabaseCondition, from source: String? = nil) throws {
        try query(.Administration.forgetCondition, [.value(condition.rawValue), .value(source)])
    }

    /// The notes of a condition, one per source. A detail of a version that wrote other figures is passed over.
    public func conditions<Detail: Decodable & Sendable>(
        _ condition: DatabaseCondition, as type: Detail.Type
    ) throws -> [NotedCondition<Detail>] {
        try query(.Administration.readConditions, [.value(condition.rawValue)]).compactMap { row in
            let text: String = try row.get("detail")
            guard let detail = try? JSONDecoder().decode(type, from: Data(text.utf8)) else { return nil }
            return NotedCondition(
                source: try row.get("source"), notedAt: try row.get("noted_at"),
                age: Span(milliseconds: try row.get("age")), detail: detail)
        }
    }
}
