internal import CSQLite
internal import SQLFiles

/// A value of a parameter or a column.
enum SQLiteValue: Equatable {
    case null
    case integer(Int64)
    case text(String)

    init(_ text: String?) { self = text.map(SQLiteValue.text) ?? .null }

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
}

struct SQLiteError: Error {
    let code: Int32
    let message: String

    /// Whether the same may work later: others use the file, the disk is full or fails. The lower eight bits
    /// are the primary code (https://sqlite.org/rescode.html).
    var isTransient: Bool {
        [SQLITE_BUSY, SQLITE_LOCKED, SQLITE_IOERR, SQLITE_FULL, SQLITE_PROTOCOL].contains(code & 0xff)
    }
}

/// A file of SQLite. Its calls block, so it is used by one caller at a time.
final class SQLiteDatabase {
    private let handle: OpaquePointer
    private var prepared: [String: OpaquePointer] = [:]

    private static let busyMilliseconds: Int32 = 15_000

    /// Opens the file, or creates it.
    init(path: String) throws(SQLiteError) {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
        guard code == SQLITE_OK, let opened else {
            let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close_v2(opened)
            throw SQLiteError(code: code, message: message)
        }
        handle = opened
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, Self.busyMilliseconds)
    }

    deinit {
        prepared.values.forEach { sqlite3_finalize($0) }
        sqlite3_close_v2(handle)
    }

    /// Runs a statement, which is prepared once.
    ///
    /// - Returns: how many rows it inserted, updated or deleted, if it is such a statement.
    @discardableResult
    func run(_ file: SQLFile, _ values: [SQLiteValue] = []) throws(SQLiteError) -> Int {
        _ = try rows(file, values)
        return Int(sqlite3_changes(handle))
    }

    /// The rows of a statement, as values by column.
    func rows(_ file: SQLFile, _ values: [SQLiteValue] = []) throws(SQLiteError) -> [[SQLiteValue]] {
        let statement = try prepare(file)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() { try bind(value, Int32(index + 1), statement) }
        var rows: [[SQLiteValue]] = []
        while true {
            let code = sqlite3_step(statement)
            guard code == SQLITE_ROW else {
                guard code == SQLITE_DONE else { throw error(code) }
                return rows
            }
            rows.append((0..<sqlite3_column_count(statement)).map { Self.value($0, of: statement) })
        }
    }

    /// Checks whether the statement fits the tables, without running it.
    @discardableResult
    func prepare(_ file: SQLFile) throws(SQLiteError) -> OpaquePointer {
        if let statement = prepared[file.text] { return statement }
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(handle, file.text, -1, &statement, nil)
        guard code == SQLITE_OK, let statement else { throw error(code) }
        prepared[file.text] = statement
        return statement
    }

    private func bind(
        _ value: SQLiteValue, _ index: Int32, _ statement: OpaquePointer
    ) throws(SQLiteError) {
        let code =
            switch value {
            case .null: sqlite3_bind_null(statement, index)
            case .integer(let number): sqlite3_bind_int64(statement, index, number)
            case .text(let text):
                // SQLITE_TRANSIENT, a cast that Swift does not import: SQLite copies the text.
                sqlite3_bind_text(
                    statement, index, text, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
            }
        guard code == SQLITE_OK else { throw error(code) }
    }

    private static func value(_ column: Int32, of statement: OpaquePointer) -> SQLiteValue {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: .null
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
        default: .text(sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "")
        }
    }

    private func error(_ code: Int32) -> SQLiteError {
        SQLiteError(code: code, message: String(cString: sqlite3_errmsg(handle)))
    }
}
