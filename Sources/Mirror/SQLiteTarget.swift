internal import Foundation
internal import SQLFiles

/// A table in a file of SQLite.
final class SQLiteTarget: MirrorTarget {
    private let table: MirrorTable
    private let database: SQLiteDatabase
    private let lock: LockedFile

    /// Opens the table, or creates it and the file.
    ///
    /// The lock is one on a file of its own next to the database, so that others can read and write there.
    ///
    /// - Throws: ``MirrorError``, `MirrorTrouble`.
    init(path: String, table: MirrorTable) throws {
        self.table = table
        guard let lock = try LockedFile("\(path).\(table.name).mirror-lock") else {
            throw MirrorError.taken(table: table.name)
        }
        self.lock = lock
        let isNew = try Self.create(path)
        database = try Self.translating(table) {
            let database = try SQLiteDatabase(path: path)
            if isNew { try database.run(.Mirror.sqliteWriteAhead) }
            try database.run(table.statement(.Mirror.sqliteCreateTable))
            try database.run(table.statement(.Mirror.sqliteCreatePositions))
            try database.prepare(table.statement(.Mirror.sqlitePutToken))
            return database
        }
    }

    /// Creates the file, which only its owner may read: it will contain device tokens.
    ///
    /// - Returns: false if there is one.
    private static func create(_ path: String) throws(MirrorError) -> Bool {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
        guard descriptor >= 0 || errno == EEXIST else {
            throw .failed("\(path) cannot be created: \(String(cString: strerror(errno)))")
        }
        return descriptor >= 0
    }

    func position() throws -> MirrorPosition? {
        try translating {
            try database.rows(table.statement(.Mirror.sqliteReadPosition), [.text(table.name)]).first
                .map(Self.position)
        }
    }

    private static func position(_ row: [SQLiteValue]) throws -> MirrorPosition {
        guard row.count == 6, let app = row[0].text, let after = row[1].integer, let filled = row[3].integer,
            let revision = row[5].integer
        else { throw SQLiteError(code: 0, message: "landfall_mirror has a row that no mirror wrote") }
        return MirrorPosition(
            app: app, after: after, fillCursor: row[2].text, filledTo: filled, proof: row[4].text,
            revision: revision)
    }

    func hasTokens(of app: String) throws -> Bool {
        try translating {
            try !database.rows(table.statement(.Mirror.sqliteFindToken), [.text(app)]).isEmpty
        }
    }

    func apply(_ batch: MirrorBatch, _ position: MirrorPosition) throws {
        try translating {
            try database.run(.Mirror.sqliteBegin)
            do {
                guard try database.run(table.statement(.Mirror.sqlitePutPosition), values(position)) == 1
                else { throw MirrorTrouble.moved }
                try change(batch, position.app)
                try database.run(.Mirror.sqliteCommit)
            } catch {
                // After some errors, SQLite has rolled back already.
                _ = try? database.run(.Mirror.sqliteRollback)
                throw error
            }
        }
    }

    private func change(_ batch: MirrorBatch, _ app: String) throws {
        if let replaced = batch.replaced {
            let kept = "[\(batch.put.map { String($0.tokenID) }.joined(separator: ","))]"
            try database.run(
                table.statement(.Mirror.sqliteRemoveOthers),
                [.text(app), .integer(replaced.above), .integer(replaced.through), .text(kept)])
        }
        let remove = table.statement(.Mirror.sqliteRemoveToken)
        for tokenID in batch.removed { try database.run(remove, [.text(app), .integer(tokenID)]) }
        let put = table.statement(.Mirror.sqlitePutToken)
        var unowned = 0
        for token in batch.put where try database.run(put, Self.values(token, app)) == 0 { unowned += 1 }
        guard unowned == 0 else { throw MirrorError.unowned(unowned, in: table, of: app) }
    }

    private func values(_ position: MirrorPosition) -> [SQLiteValue] {
        [
            .text(table.name), .text(position.app), .integer(position.after),
            SQLiteValue(position.fillCursor), .integer(position.filledTo), SQLiteValue(position.proof),
            .integer(position.revision),
        ]
    }

    private static func values(_ token: MirroredToken, _ app: String) -> [SQLiteValue] {
        [
            .text(app), .integer(token.tokenID), .text(token.value), .text(token.provider), .text(token.kind),
            .text(token.environment), .text(token.topic), .text(token.state), SQLiteValue(token.deviceID),
            SQLiteValue(token.p256dh), SQLiteValue(token.auth), SQLiteValue(token.changedAt),
        ]
    }

    private func translating<Value>(_ body: () throws -> Value) throws -> Value {
        try Self.translating(table, body)
    }

    /// Turns errors of SQLite into those of a mirror.
    private static func translating<Value>(_ table: MirrorTable, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as SQLiteError {
            let reason = "SQLite: \(error.message)"
            guard !error.isTransient else { throw MirrorTrouble(reason: reason) }
            throw MirrorError.unusable(table, reason)
        }
    }
}

/// A file that one program at a time has locked. The kernel drops the lock however the program ends.
private final class LockedFile {
    private let descriptor: Int32

    /// - Returns: `nil` if another program has it.
    init?(_ path: String) throws(MirrorError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw .failed("\(path) cannot be created: \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let reason = errno
            close(descriptor)
            guard reason == EWOULDBLOCK else {
                throw .failed("\(path) cannot be locked: \(String(cString: strerror(reason)))")
            }
            return nil
        }
    }

    deinit { close(descriptor) }
}
