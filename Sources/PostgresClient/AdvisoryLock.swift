/// An action that only one session of Landfall may perform at a time, in any server or command. The raw value
/// is the first number of PostgreSQL's advisory lock. The second is the app's id or, for a whole cell, the
/// cell's number × 2^20: the ids of its apps begin one above.
public enum AdvisoryLock: Int32, CaseIterable, Sendable {
    /// Sweeping, restoring and releasing tokens of an app.
    case tokenRun = 19526
    /// Removing items from an app's quarantine.
    case quarantine = 19527
    /// Replaying an app's quarantine.
    case replay = 19528
    case maintenance = 19529
    /// Importing tokens into an app.
    case tokenImport = 19533
    /// Using the token key (shared), or moving tokens to another key.
    case tokenKey = 19534
    /// Recording what the doctor finds.
    case findings = 19535
    /// Moving an app to another cell.
    case move = 19536
    /// Copying an app from another cell. It marks a transaction that no feed waits for (`ledger_bound`).
    case copy = 19537
    /// Keeping a table of tokens in a sender's database. The second number is the table's object id.
    case mirror = 19538
}

/// Another program does what only one may do at a time.
public struct LockTaken: Error, Equatable, CustomStringConvertible {
    public let lock: AdvisoryLock

    public init(_ lock: AdvisoryLock) {
        self.lock = lock
    }

    public var description: String {
        switch lock {
        case .tokenRun: "a sweep or another decision of this app is in progress"
        case .quarantine: "another program is removing items from this app's quarantine"
        case .replay: "another replay of this app is in progress"
        case .maintenance: "another program is maintaining this database"
        case .tokenImport: "another import into this app is in progress"
        case .tokenKey:
            "a server or a command is using the token key of this database: stop every server first"
        case .findings: "another program is recording the doctor's findings"
        case .move, .copy: "another program is moving this app"
        case .mirror: "another landfall mirror keeps this table"
        }
    }
}

/// A lock that outlives transactions, held by a transaction that stays open on a connection of its own.
///
/// A session's lock is not enough: a pooler that lends sessions for one transaction, such as PgBouncer in
/// transaction mode, gives the session, and the lock with it, to the next client. An open transaction keeps
/// its session there, too. It has no snapshot, so it keeps neither vacuum nor any client waiting.
public final class HeldLock {
    private let connection: PostgresConnection

    fileprivate init(_ connection: PostgresConnection) {
        self.connection = connection
    }

    /// - Throws: `PostgresError` if the lock is lost, because its connection broke or a pooler closed it.
    public func check() throws(PostgresError) {
        try connection.execute(script: .Administration.checkLock)
    }

    /// Releases the lock. It also ends with this object, but possibly a moment later.
    public func release() {
        // If the connection broke, the lock ended with it.
        try? connection.execute(script: .Administration.endTransaction)
    }
}

extension PostgresConnection {
    /// The setting with the number of the cell whose schema it is, in one byte. Cell 0's schema has none.
    package static let cellSetting = "cell"
    private static let patienceForLocks = Patience(statementTimeout: .seconds(15))

    /// The number of the cell whose schema this connection uses.
    package func storedCell() throws(PostgresError) -> UInt8 {
        try query(.Administration.readSetting, [.value(Self.cellSetting)])
            .first?.get("value", as: [UInt8].self).first ?? 0
    }

    /// Runs the body while this program holds the lock. Does not wait for it.
    ///
    /// - Parameter body: receives the lock, to check between its transactions whether it is still held.
    /// - Throws: ``LockTaken`` if another program has the lock, and what the body throws.
    @discardableResult
    public func withLock<Value>(
        _ lock: AdvisoryLock, of appID: Int64 = 0, _ body: (HeldLock) throws -> Value
    ) throws -> Value {
        guard let held = try hold(lock, of: appID) else { throw LockTaken(lock) }
        defer { held.release() }
        return try body(held)
    }

    /// Takes the lock on a second connection to the same server, until it is released. Does not wait.
    ///
    /// - Parameter isShared: any number of programs may share it.
    /// - Returns: `nil` if another program has it.
    public func hold(
        _ lock: AdvisoryLock, of appID: Int64 = 0, isShared: Bool = false
    ) throws(PostgresError) -> HeldLock? {
        let place = try appID == 0 ? Int64(storedCell()) << 20 : appID
        let connection = try PostgresConnection(like: self, patience: Self.patienceForLocks)
        try connection.execute(script: .Administration.beginHolding)
        let isLocked: Bool = try connection.query(
            isShared ? .Administration.tryShareInTransaction : .Administration.tryLockInTransaction,
            [.value(lock.rawValue), .value(place)]
        ).single().get("is_locked")
        guard isLocked else { return nil }
        let held = HeldLock(connection)
        // PostgreSQL keeps the last parameterized statement open, with its snapshot. A statement without
        // parameters closes it.
        try held.check()
        return held
    }

    /// Shares the lock until ``letGo(_:)`` or the connection's end. A repeated call takes a lost lock again.
    ///
    /// - Returns: false if another program has it alone.
    public func keep(_ lock: AdvisoryLock) throws(PostgresError) -> Bool {
        if let kept = keptLocks[lock], (try? kept.check()) != nil { return true }
        keptLocks[lock] = try hold(lock, isShared: true)
        return keptLocks[lock] != nil
    }

    public func letGo(_ lock: AdvisoryLock) {
        keptLocks.removeValue(forKey: lock)?.release()
    }

    /// Takes the lock until the transaction's end.
    ///
    /// - Returns: false if another session has it and this one does not wait.
    @discardableResult
    public func lockInTransaction(
        _ lock: AdvisoryLock, of appID: Int64, mayWait: Bool = true
    ) throws(PostgresError) -> Bool {
        try query(
            mayWait ? .Administration.lockInTransaction : .Administration.tryLockInTransaction,
            [.value(lock.rawValue), .value(appID)]
        ).single().get("is_locked")
    }
}
