internal import Foundation

/// An unusual condition of the database or its servers, which a program records there for `landfall doctor`.
public enum DatabaseCondition: String, Sendable {
    /// Maintenance keeps days that the configuration would drop.
    case retentionHeld = "retention_held"
    /// A server's clock differs from PostgreSQL's.
    case serverClock = "server_clock"
    /// A server restarted the private cluster.
    case clusterRestarted = "cluster_restarted"
    /// A server closed connections because too many of one address had a request in progress.
    case crowdedAddress = "crowded_address"
    /// A server rejected requests about installations because they carried no credential.
    case credentialsMissing = "credentials_missing"
    /// Pages in browsers used keys that belong on servers.
    case keyInBrowser = "key_in_browser"
    /// A server rejected requests with 429.
    case rateLimited = "rate_limited"
    /// Statements took too long for their requests.
    case slowStatements = "slow_statements"
}

/// A condition as last recorded.
public struct NotedCondition<Detail: Sendable>: Sendable {
    /// The server that recorded it, `host:port`; empty for a command.
    public let source: String
    public let notedAt: Instant
    /// The time since then, by PostgreSQL's clock.
    public let age: Span
    public let detail: Detail
}

extension PostgresConnection {
    /// The time by PostgreSQL's clock, the one that all servers of a database share.
    public func clock() throws(PostgresError) -> Instant {
        try query(.Administration.clock).single().get("now")
    }

    /// Records a condition or, if the detail is `nil`, removes it.
    public func note(
        _ condition: DatabaseCondition, from source: String, _ detail: (some Encodable)?
    ) throws {
        guard let detail else { return try forget(condition, from: source) }
        let text = String(decoding: try JSONEncoder().encode(detail), as: UTF8.self)
        try query(
            .Administration.noteCondition, [.value(condition.rawValue), .value(source), .value(text)])
    }

    /// Removes a condition that has passed, of one source or, if the source is `nil`, of all.
    public func forget(_ condition: DatabaseCondition, from source: String? = nil) throws {
        try query(.Administration.forgetCondition, [.value(condition.rawValue), .value(source)])
    }

    /// The records of a condition, one per source. A detail in another version's form is skipped.
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
