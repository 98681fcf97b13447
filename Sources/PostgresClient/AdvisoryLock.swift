internal import SQLFiles

/// An action that only one session of Landfall may perform at a time, in any server or command. The raw value is the first number
/// of PostgreSQL's advisory lock; the second is the app's id, or 0.
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
}

extension PostgresConnection {
    /// Takes the lock for this session, until ``unlock(_:of:)`` or the session's end. Does not wait.
    ///
    /// - Returns: false if another session has it.
    public func tryLock(_ lock: AdvisoryLock, of appID: Int64 = 0) throws(PostgresError) -> Bool {
        try query(.Administration.tryLock, [.value(lock.rawValue), .value(appID)]).single().get(0)
    }

    /// Releases the lock. If the connection is lost, there is nothing to release: the lock ended with its session.
    public func unlock(_ lock: AdvisoryLock, of appID: Int64 = 0) {
        _ = try? query(.Administration.unlock, [.value(lock.rawValue), .value(appID)])
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
        ).single().get(0)
    }
}
