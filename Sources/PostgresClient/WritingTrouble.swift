/// The reason PostgreSQL cannot be written to, although it can be reached.
public enum WritingTrouble: Hashable, Sendable {
    /// It is a standby, or has become one.
    case standby
    /// `default_transaction_read_only` is on.
    case readOnly
    /// No space is left on its disk (SQLSTATE 53100).
    case diskFull
    /// It cannot open one of its files, usually a library that an upgrade replaced since (SQLSTATE 58P01).
    case fileMissing
    /// It cannot write for another reason: class 53, insufficient resources, or 58, errors of its files.
    case rejected(SQLState)

    /// Returns `nil` for an error that does not affect whether other statements can write.
    public init?(_ error: PostgresError) {
        guard let state = error.sqlState else { return nil }
        switch state.rawValue {
        case "25006": self = .readOnly
        case "53100": self = .diskFull
        case "58P01": self = .fileMissing
        case "53300": return nil  // Too many connections: others have theirs.
        case let code where code.hasPrefix("53") || code.hasPrefix("58"): self = .rejected(state)
        default: return nil
        }
    }

    /// The trouble that settings show, without writing; `nil` if they show none.
    public static func announced(on connection: PostgresConnection) throws(PostgresError) -> WritingTrouble? {
        let row = try connection.query(.Administration.condition).single()
        if try row.get("is_standby") { return .standby }
        return try row.get("is_read_only") ? .readOnly : nil
    }

    /// Writes some blocks and rolls back. Returns `nil` if that succeeded.
    ///
    /// - Throws: a `PostgresError` that does not concern writing, such as a lost connection.
    public static func tried(on connection: PostgresConnection) throws -> WritingTrouble? {
        struct Undone: Error {}
        do {
            try connection.transaction {
                try connection.query(.Administration.tryWriting)
                throw Undone()
            }
        } catch let error as PostgresError {
            // A role without temporary tables cannot try.
            if error.sqlState == .insufficientPrivilege { return nil }
            guard let trouble = WritingTrouble(error) else { throw error }
            return trouble
        } catch is Undone {}
        return nil
    }

    /// A stable name for programs.
    public var name: String {
        switch self {
        case .standby: "standby"
        case .readOnly: "read_only"
        case .diskFull: "disk_full"
        case .fileMissing: "file_missing"
        case .rejected(let state): state.rawValue
        }
    }

    /// The trouble as a sentence without a period.
    public var sentence: String {
        switch self {
        case .standby: "PostgreSQL is a standby, which cannot be written to (pg_is_in_recovery)"
        case .readOnly: "PostgreSQL's sessions are read-only here (default_transaction_read_only, 25006)"
        case .diskFull: "no space is left on PostgreSQL's disk (53100)"
        case .fileMissing:
            "PostgreSQL cannot open one of its own files (58P01), usually because its package was upgraded while it was running"
        case .rejected(let state): "PostgreSQL cannot write (\(state.rawValue))"
        }
    }

    /// The remedy, as sentences for people.
    public var remedy: String {
        switch self {
        case .standby:
            "Connect to the primary: name all hosts in the connection string, with target_session_attrs=read-write."
        case .readOnly:
            "Find where it is set (ALTER DATABASE, ALTER ROLE, postgresql.conf) and remove it; some database "
                + "services set it when the storage is nearly full."
        case .diskFull: "Free disk space, or enlarge the disk; writing then resumes by itself."
        case .fileMissing:
            "Restart PostgreSQL, for example with systemctl restart postgresql. landfall-server restarts its "
                + "private database by itself."
        case .rejected: "PostgreSQL's own log says what is missing."
        }
    }
}
