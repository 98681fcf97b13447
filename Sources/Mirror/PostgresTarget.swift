internal import Foundation
internal import PostgresClient
internal import SQLFiles

/// A table in a PostgreSQL of the sender.
final class PostgresTarget: MirrorTarget {
    private let table: MirrorTable
    /// The schema and the table.
    private let name: String
    private let connection: PostgresConnection
    private let lock: HeldLock

    /// The longest round trip: a page of 10,000 tokens on a busy machine, or one that waits for the sender.
    private static let timeout = Duration.seconds(120)
    /// The session of a mirror that was killed ends within milliseconds.
    private static let attemptsToLock = 10
    private static let microsecondsBetweenAttempts: UInt32 = 200_000

    /// Opens the table, or creates it.
    ///
    /// - Throws: ``MirrorError``, `MirrorTrouble`.
    init(url: String, table: MirrorTable) throws {
        self.table = table
        do {
            connection = try PostgresConnection(
                url: url, preparesStatements: false, statementTimeout: Self.timeout)
        } catch {
            guard PostgresConnection.isAway(url) else { throw MirrorError.failed(error.description) }
            throw MirrorTrouble(reason: error.description)
        }
        (name, lock) = try Self.translating(table) { [connection] in
            let (name, number) = try Self.found(table, on: connection)
            guard let lock = try Self.lock(number, on: connection) else {
                throw MirrorError.taken(table: table.name)
            }
            return (name, lock)
        }
        try check()
    }

    /// The full name and the object id of the table. Creates what is missing.
    private static func found(
        _ table: MirrorTable, on connection: PostgresConnection
    ) throws -> (String, Int64) {
        let name = PostgresParameter.value(table.quotedName)
        if try connection.query(.Mirror.findTable, [name]).first == nil {
            try connection.query(table.statement(.Mirror.createTable))
        }
        let positions = PostgresParameter.value(table.quotedPositions)
        if try connection.query(.Mirror.findTable, [positions]).first == nil {
            try connection.query(table.statement(.Mirror.createPositions))
        }
        let row = try connection.query(.Mirror.findTable, [name]).single()
        return (try row.get("name"), try row.get("number"))
    }

    private static func lock(_ number: Int64, on connection: PostgresConnection) throws -> HeldLock? {
        // An object id has 32 bits, and so has the lock's number, with a sign.
        let number = Int64(Int32(truncatingIfNeeded: number))
        for _ in 1..<attemptsToLock {
            if let lock = try connection.hold(.mirror, of: number) { return lock }
            usleep(microsecondsBetweenAttempts)
        }
        return try connection.hold(.mirror, of: number)
    }

    /// Finds out whether the table has the columns, with a page of no tokens.
    private func check() throws {
        try translating {
            try connection.transaction {
                _ = try connection.query(table.statement(.Mirror.putTokens), Self.parameters("", []))
            }
        }
    }

    func position() throws -> MirrorPosition? {
        try translating {
            try connection.query(table.statement(.Mirror.readPosition), [.value(name)]).first.map { row in
                MirrorPosition(
                    app: try row.get("app"), after: try row.get("position"),
                    fillCursor: try row.getOptional("fill_cursor"), filledTo: try row.get("filled_to"),
                    proof: try row.getOptional("proof"), revision: try row.get("revision"))
            }
        }
    }

    func hasTokens(of app: String) throws -> Bool {
        try translating {
            try connection.query(table.statement(.Mirror.findToken), [.value(app)]).first != nil
        }
    }

    func apply(_ batch: MirrorBatch, _ position: MirrorPosition) throws {
        try translating {
            try lock.check()
            try connection.transaction {
                let moved = try connection.query(table.statement(.Mirror.putPosition), parameters(position))
                guard moved.count == 1 else { throw MirrorTrouble.moved }
                try change(batch, position.app)
            }
        }
    }

    private func change(_ batch: MirrorBatch, _ app: String) throws {
        if let replaced = batch.replaced {
            try connection.query(
                table.statement(.Mirror.removeOthers),
                [
                    .value(app), .value(replaced.above), .value(replaced.through),
                    .array(batch.put.map(\.tokenID)),
                ])
        }
        if !batch.removed.isEmpty {
            try connection.query(
                table.statement(.Mirror.removeTokens), [.value(app), .array(batch.removed)])
        }
        guard !batch.put.isEmpty else { return }
        let put = try connection.query(
            table.statement(.Mirror.putTokens), Self.parameters(app, batch.put)
        ).single().get("tokens", as: Int64.self)
        guard put == batch.put.count else {
            throw MirrorError.unowned(batch.put.count - Int(put), in: table, of: app)
        }
    }

    private func parameters(_ position: MirrorPosition) -> [PostgresParameter] {
        [
            .value(name), .value(position.app), .value(position.after), .value(position.fillCursor),
            .value(position.filledTo), .value(position.proof), .value(position.revision),
        ]
    }

    private static func parameters(_ app: String, _ tokens: [MirroredToken]) -> [PostgresParameter] {
        [
            .value(app), .array(tokens.map(\.tokenID)), .array(tokens.map(\.value)),
            .array(tokens.map(\.provider)), .array(tokens.map(\.kind)), .array(tokens.map(\.environment)),
            .array(tokens.map(\.topic)), .array(tokens.map(\.state)), .nullableArray(tokens.map(\.deviceID)),
            .nullableArray(tokens.map(\.p256dh)), .nullableArray(tokens.map(\.auth)),
            .nullableArray(tokens.map(\.changedAt)),
        ]
    }

    private func translating<Value>(_ body: () throws -> Value) throws -> Value {
        try Self.translating(table, body)
    }

    /// Turns errors of PostgreSQL into those of a mirror.
    private static func translating<Value>(_ table: MirrorTable, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as PostgresError {
            guard !error.isTransient else { throw MirrorTrouble(reason: error.description) }
            throw MirrorError.unusable(table, error.description)
        }
    }
}
