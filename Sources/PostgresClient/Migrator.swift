internal import Crypto
internal import Foundation

/// Migrates the connection's schema: forward only, in the order of the files' names.
///
/// Each migration is one transaction that first writes its row into the ledger. If eight servers start at
/// once, seven wait for that row, find it written, and continue.
public struct Migrator: Sendable {
    private let migrations: [SQLFile]

    public init(migrations: [SQLFile] = SQLFile.migrations) {
        self.migrations = migrations
    }

    /// Applies the pending migrations and returns their names.
    ///
    /// If none is pending, it only reads, so that a role that owns nothing can work in a migrated database.
    @discardableResult
    public func migrate(_ connection: PostgresConnection) throws -> [String] {
        var applied: [SQLFile] = []
        if try !isUpToDate(connection) {
            let owner = try connection.coordinating()
            try createLedger(owner)
            try checkIsNotNewer(owner)
            applied = try migrations.filter { try apply($0, owner) }
        }
        try connection.distribute()
        return applied.map(\.name)
    }

    /// The names of migrations that this program has and the database lacks.
    public func pending(_ connection: PostgresConnection) throws -> [String] {
        do {
            let applied = try appliedNames(connection)
            return migrations.map(\.name).filter { !applied.contains($0) }
        } catch let error as PostgresError where error.lacksSchema {
            return migrations.map(\.name)
        }
    }

    /// - Throws: ``MigrationError`` for a database that this program must not touch.
    private func isUpToDate(_ connection: PostgresConnection) throws -> Bool {
        guard try pending(connection).isEmpty else { return false }
        try checkIsNotNewer(connection)
        var applied: [String: [UInt8]] = [:]
        for row in try connection.query(.Administration.listMigrations) {
            let name: String = try row.get("name")
            applied[name] = try row.get("checksum", as: [UInt8].self)
        }
        for migration in migrations where applied[migration.name] != checksum(of: migration) {
            throw MigrationError.changedSinceApplied(migration.name)
        }
        return true
    }

    private func checksum(of migration: SQLFile) -> [UInt8] {
        Array(SHA256.hash(data: Data(migration.text.utf8)))
    }

    /// `CREATE … IF NOT EXISTS` can collide with another session's, whose objects the next attempt finds.
    private func createLedger(_ connection: PostgresConnection) throws {
        let collisions: Set<SQLState> = [.uniqueViolation, .duplicateSchema, .duplicateTable]
        for attempt in 1...5 {
            do {
                return try connection.execute(script: .Administration.createMigrationLedger)
            } catch {
                guard let sqlState = error.sqlState, collisions.contains(sqlState), attempt < 5 else {
                    throw error
                }
            }
        }
    }

    /// - Throws: ``MigrationError/databaseIsNewer(unknown:)`` if a later program has migrated the database.
    public func checkIsNotNewer(_ connection: PostgresConnection) throws {
        let unknown = try appliedNames(connection).subtracting(migrations.map(\.name))
        guard unknown.isEmpty else { throw MigrationError.databaseIsNewer(unknown: unknown.sorted()) }
    }

    private func appliedNames(_ connection: PostgresConnection) throws -> Set<String> {
        Set(try connection.query(.Administration.listMigrations).map { try $0.get("name", as: String.self) })
    }

    /// Returns true if this call applied it, false if it was already applied.
    private func apply(_ migration: SQLFile, _ connection: PostgresConnection) throws -> Bool {
        let checksum = checksum(of: migration)
        return try connection.transaction {
            let recorded = try connection.query(
                .Administration.recordMigration, [.value(migration.name), .value(checksum)])
            guard let row = recorded.first else {
                throw PostgresError.unexpectedResult(statement: migration.name, detail: "no ledger row")
            }
            guard try row.get("was_recorded_now", as: Bool.self) else {
                guard try row.get("checksum", as: [UInt8].self) == checksum else {
                    throw MigrationError.changedSinceApplied(migration.name)
                }
                return false
            }
            try connection.execute(script: migration)
            try connection.execute(script: .Administration.takeIdsOfRange)
            return true
        }
    }
}

public enum MigrationError: Error, Sendable, Equatable, CustomStringConvertible {
    case databaseIsNewer(unknown: [String])
    case changedSinceApplied(String)
    /// The schema cannot be distributed.
    case noCitus

    public var description: String {
        switch self {
        case .databaseIsNewer(let unknown):
            "the database is newer than this program: it has the migrations "
                + "\(unknown.joined(separator: ", ")), which this version of Landfall does not know. Use the "
                + "version that created them, or a later one."
        case .changedSinceApplied(let name):
            "the migration \(name) differs from the one that was applied to this database. Applied "
                + "migrations must never change: restore the file, and add the change as a new migration."
        case .noCitus:
            "database.distribute is citus, and the database does not have the extension citus: run CREATE "
                + "EXTENSION citus on its coordinator, or unset LANDFALL_DATABASE_DISTRIBUTE"
        }
    }
}
