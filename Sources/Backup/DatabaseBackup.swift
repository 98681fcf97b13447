internal import EmbeddedPostgres
public import Foundation
public import PostgresClient
public import Vault

/// A backup in one file: all data of Landfall in a database, and the token key, sealed with a passphrase.
public enum DatabaseBackup {
    /// Writes the file. `pg_dump` sees one snapshot, so servers may write meanwhile.
    ///
    /// - Parameter connection: to a migrated database that holds the token key (`TokenVault.hold`).
    /// - Throws: ``BackupError``, `EmbeddedPostgresError`, `PostgresError`.
    public static func write(
        to path: String, passphrase: String, tokenKey: TokenKey, createdAt: String,
        on connection: PostgresConnection, environment: [String: String], isStopped: () -> Bool = { false },
        progress: (Int) -> Void = { _ in }
    ) throws -> BackupManifest {
        let (version, schema) = (connection.serverMajorVersion, connection.schema)
        let cell = try connection.storedCell()
        let program = try ClientProgram.find("pg_dump", atLeast: version, environment: environment)
        let manifest = BackupManifest(
            createdAt: createdAt, postgresVersion: version, dumpVersion: program.version,
            migrations: try connection.query(.Administration.listMigrations).map { try $0.get("name") },
            tokenKey: tokenKey.base64, schema: schema == .landfall ? nil : schema.text,
            cell: cell == 0 ? nil : cell)
        let writer = try SealedFileWriter(path: path, passphrase: passphrase)
        try writer.append(try JSONEncoder().encode(manifest))
        try writer.flush()
        let dump = try ClientProcess(
            program,
            [
                "--format=custom", "--no-owner", "--no-privileges", "--schema=\(schema)",
                "--schema=\(schema.reports)",
            ], .reading, on: connection, environment: environment)
        var count = 0
        try dump.read(isStopped: isStopped) { bytes in
            try writer.append(bytes)
            count += bytes.count
            progress(count)
        }
        try writer.finish()
        return manifest
    }

    /// Reads the whole file and changes nothing. If no error is thrown, the file is complete and unchanged.
    ///
    /// - Throws: ``BackupError``
    public static func check(_ path: String, passphrase: String, isStopped: () -> Bool = { false }) throws
        -> BackupManifest
    {
        let reader = try SealedFileReader(path: path, passphrase: passphrase)
        let manifest = try manifest(of: reader)
        while try reader.next() != nil {
            guard !isStopped() else { throw BackupError.stopped }
        }
        let known = SQLFile.migrations.map(\.name)
        let unknown = manifest.migrations.filter { !known.contains($0) }
        guard unknown.isEmpty else { throw BackupError.newer(unknown: unknown) }
        return manifest
    }

    /// Restores a checked file into a database without Landfall's schemas, in one transaction.
    /// Stores the token key first: a database whose key is lost would be worth little.
    ///
    /// - Parameter cell: the number of the cell that the database is to be, which must be the backup's.
    /// - Throws: ``BackupError``, `TokenKeyError`, `EmbeddedPostgresError`, `PostgresError`.
    public static func restore(
        _ path: String, passphrase: String, dataFolder: URL, of cell: Int = 0,
        on connection: PostgresConnection, environment: [String: String], isStopped: () -> Bool = { false }
    ) throws {
        let schemas: [String] = try connection.query(.Administration.findSchemas).map {
            try $0.get("nspname")
        }
        guard schemas.isEmpty else { throw BackupError.notEmpty(schemas: schemas) }
        let reader = try SealedFileReader(path: path, passphrase: passphrase)
        let manifest = try manifest(of: reader)
        let schema = manifest.schema ?? SchemaName.landfall.text
        guard schema == connection.schema.text else { throw BackupError.ofSchema(schema) }
        guard Int(manifest.cell ?? 0) == cell else { throw BackupError.ofCell(manifest.cell ?? 0) }
        let versions = [manifest.postgresVersion, manifest.dumpVersion, connection.serverMajorVersion]
        let program = try ClientProgram.find(
            "pg_restore", atLeast: versions.max() ?? 0, environment: environment)
        try DataFolder(environment: environment).create()
        try TokenKey(base64: manifest.tokenKey).keep(in: dataFolder, environment: environment)
        let restore = try ClientProcess(
            program, ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"],
            .writing, on: connection, environment: environment)
        while let bytes = try reader.next() { try restore.write(bytes, isStopped: isStopped) }
        try restore.finish(isStopped)
        try Migrator().migrate(connection)
        try connection.execute(script: .Administration.analyzeAll)
    }

    private static func manifest(of reader: SealedFileReader) throws -> BackupManifest {
        guard let first = try reader.next(),
            let manifest = try? JSONDecoder().decode(BackupManifest.self, from: first)
        else { throw BackupError.damaged }
        return manifest
    }
}
