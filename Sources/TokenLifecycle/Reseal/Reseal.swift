public import PostgresClient
internal import SQLFiles

/// Moves everything that is kept under the token key to another key.
///
/// Nobody may use the database meanwhile: it takes a lock that every server excludes by holding the key. Each batch is a
/// transaction that also notes how far it came; whoever was stopped goes on from there with the same two keys. While it is
/// under way no key fits the database, so no server starts (docs/decisions/0019).
public struct Reseal {
    /// How far the move has come.
    public enum Stage: Hashable, Sendable {
        case notBegun
        /// Was begun and stopped.
        case begun
        /// Everything is under the new key.
        case done
    }

    /// What was moved so far, by kind of rows.
    public struct Result: Sendable {
        public internal(set) var moved: [String: SealedRowCounts] = [:]
        /// Ended between two batches because it was asked to.
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

    /// - Throws: ``ResealError`` and `TokenKeyError` when these are not the keys that the database knows.
    public func stage() throws -> Stage {
        guard old.mark != new.mark else { throw ResealError.sameKey }
        guard let check = try read(ResealSetting.check) else { return .notBegun }
        if check == new.mark { return .done }
        if check == old.mark { return .notBegun }
        guard check == ResealSetting.noKey else { throw TokenKeyError.notTheKeyOfThisDatabase }
        guard try read(ResealSetting.before) == old.mark, try read(ResealSetting.next) == new.mark else {
            throw ResealError.otherKeys
        }
        return .begun
    }

    /// What there is to move, by kind of rows.
    public func plan() throws -> [String: SealedRowCounts] {
        try rows.reduce(into: [:]) { $0[$1.name] = try $1.count(on: connection) }
    }

    /// - Parameters:
    ///   - isStopped: asked between batches; true ends it. It can be run again then.
    ///   - progress: told after each batch how many rows have been moved in this run.
    /// - Throws: ``ResealError``, `TokenKeyError`, and what the database says.
    public func apply(
        isStopped: () -> Bool = { false }, progress: (Int64) -> Void = { _ in }
    ) throws -> Result {
        guard try connection.tryLock(.tokenKey) else {
            throw ResealError.keyInUse
        }
        // The lock goes with the session when the connection is what broke.
        defer { connection.unlock(.tokenKey) }
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
                guard let counts = try moveNext(rows) else { break }
                result.moved[rows.name, default: SealedRowCounts()] += counts
                total += counts.rows
                progress(total)
            }
        }
        try end()
        return result
    }

    private func begin() throws {
        try connection.transaction {
            try store(ResealSetting.before, old.mark)
            try store(ResealSetting.next, new.mark)
            try store(ResealSetting.check, ResealSetting.noKey)
        }
    }

    /// Nil behind the last rows.
    private func moveNext(_ rows: any SealedRows) throws -> SealedRowCounts? {
        let name = ResealSetting.place(of: rows.name)
        return try connection.transaction {
            let place = try read(name).flatMap(SealedRowPlace.init) ?? .start
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
            let names =
                [ResealSetting.before, ResealSetting.next] + rows.map { ResealSetting.place(of: $0.name) }
            try connection.query(.Administration.removeSettings, [.array(names)])
        }
    }

    private func read(_ name: String) throws -> [UInt8]? {
        try connection.query(.Administration.readSetting, [.value(name)]).first?.get(0)
    }

    private func store(_ name: String, _ value: [UInt8]) throws {
        try connection.query(.Administration.storeSetting, [.value(name), .value(value)])
    }
}

public enum ResealError: Error, Equatable, Sendable, CustomStringConvertible {
    case sameKey
    /// A server runs, or a command that works with tokens.
    case keyInUse
    /// Another move was begun and has to come to its end first.
    case otherKeys

    public var description: String {
        switch self {
        case .sameKey:
            "the new token key is the one already in use: generate another with openssl rand -base64 32"
        case .keyInUse:
            "a server or a command is using the token key of this database: stop every server first"
        case .otherKeys:
            "a move between two other token keys has not been completed: run it again with those two, and then this one"
        }
    }
}
