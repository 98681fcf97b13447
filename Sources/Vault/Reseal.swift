public import PostgresClient

/// Moves everything that is sealed with the token key to another key.
///
/// The database must not be in use meanwhile: the lock it takes excludes every server that holds the key.
/// Each batch is a transaction that also records the position. If it is stopped, it continues from there with
/// the same two keys. While it is in progress no key fits the database, so no server starts
/// (docs/decisions/0019).
public struct Reseal {
    public enum Stage: Hashable, Sendable {
        case notBegun
        /// Begun and stopped.
        case begun
        /// Everything is sealed with the new key.
        case done
    }

    /// The rows moved so far, by kind.
    public struct Result: Sendable {
        public internal(set) var moved: [String: SealedRowCounts] = [:]
        /// The move was stopped between two batches.
        public internal(set) var wasStopped = false
    }

    private let old: TokenVault
    private let new: TokenVault
    private let rows: [any SealedRows]
    private let connection: PostgresConnection

    public init(
        from old: TokenVault, to new: TokenVault, of rows: [any SealedRows], on connection: PostgresConnection
    ) {
        self.old = old
        self.new = new
        self.rows = rows
        self.connection = connection
    }

    /// - Throws: ``TokenKeyError`` if these are not the keys that the database knows.
    public func stage() throws -> Stage {
        guard old.mark != new.mark else { throw TokenKeyError.sameKey }
        guard let check = try read(ResealSetting.check) else { return .notBegun }
        if check == new.mark { return .done }
        if check == old.mark { return .notBegun }
        guard check == ResealSetting.noKey else { throw TokenKeyError.notTheKeyOfThisDatabase }
        guard try read(ResealSetting.before) == old.mark, try read(ResealSetting.next) == new.mark else {
            throw TokenKeyError.otherKeys
        }
        return .begun
    }

    /// The rows to move, by kind.
    public func plan() throws -> [String: SealedRowCounts] {
        try rows.reduce(into: [:]) { $0[$1.name] = try $1.count(on: connection) }
    }

    /// - Parameters:
    ///   - isStopped: called between batches; true ends the move, which can be continued later.
    ///   - progress: receives the number of rows moved in this run so far, after each batch.
    /// - Throws: `LockTaken`, ``TokenKeyError``, `PostgresError`.
    public func apply(
        isStopped: () -> Bool = { false }, progress: (Int64) -> Void = { _ in }
    ) throws -> Result {
        try connection.withLock(.tokenKey) { lock in
            var result = Result()
            switch try stage() {
            case .done: return result
            case .notBegun: try begin()
            case .begun: break
            }
            var total: Int64 = 0
            for rows in rows {
                while true {
                    result.wasStopped = isStopped()
                    guard !result.wasStopped else { return result }
                    try lock.check()
                    guard let counts = try moveNext(rows) else { break }
                    result.moved[rows.name, default: SealedRowCounts()] += counts
                    total += counts.rows
                    progress(total)
                }
            }
            try end()
            return result
        }
    }

    private func begin() throws {
        try connection.transaction {
            try store(ResealSetting.before, old.mark)
            try store(ResealSetting.next, new.mark)
            try store(ResealSetting.check, ResealSetting.noKey)
        }
    }

    /// Returns `nil` after the last rows.
    private func moveNext(_ rows: any SealedRows) throws -> SealedRowCounts? {
        let name = ResealSetting.place(of: rows.name)
        return try connection.batch {
            let place = try read(name).map { try SealedRowPlace(bytes: $0) } ?? .start
            guard let moved = try rows.moveNext(after: place, from: old, to: new, on: connection) else {
                return nil
            }
            try store(name, moved.place.bytes)
            return moved.counts
        }
    }

    private func end() throws {
        try connection.transaction {
            try store(ResealSetting.check, new.mark)
            let places = rows.map { ResealSetting.place(of: $0.name) }
            try connection.query(
                .Administration.removeSettings, [.array([ResealSetting.before, ResealSetting.next] + places)])
        }
    }

    private func read(_ name: String) throws -> [UInt8]? {
        try connection.query(.Administration.readSetting, [.value(name)]).first?.get("value")
    }

    private func store(_ name: String, _ value: [UInt8]) throws {
        try connection.query(.Administration.storeSetting, [.value(name), .value(value)])
    }
}

/// The names in `landfall.setting` for the token key and for the move to another.
enum ResealSetting {
    /// The check value of the key with which everything is sealed; empty during a move.
    static let check = "token_key_check"
    /// During a move: the check values of the old key and of the new one.
    static let before = "token_key_before"
    static let next = "token_key_next"
    static let noKey: [UInt8] = []

    /// The position of the move in the rows of one kind.
    static func place(of rows: String) -> String { "token_key_place_\(rows)" }
}
