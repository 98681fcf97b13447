import ChildPrograms
import Foundation
import PostgresClient
import SQLFiles
import Synchronization
import TestDatabase

@testable import Mirror

enum DatabaseKind: CaseIterable {
    case postgres, sqlite
}

/// A table of a sender, in the test's PostgreSQL or in a file, and how it is mirrored.
struct SenderTable: Sendable {
    let kind: DatabaseKind
    let folder: URL
    let database = TestDatabase.current
    var table: MirrorTable
    /// Two tokens per page, so that few tokens are several pages.
    var pageSize = 2

    static func run(_ kind: DatabaseKind, _ body: (SenderTable) async throws -> Void) async throws {
        let folder = try ThrowawayFolder.create(for: "mirror")
        defer { try? folder.remove() }
        try await body(SenderTable(kind: kind, folder: folder.url, table: MirrorTable("device_tokens")))
    }

    func open() throws -> any MirrorTarget {
        switch kind {
        case .postgres: try PostgresTarget(url: database.url, table: table)
        case .sqlite: try SQLiteTarget(path: path, table: table)
        }
    }

    var path: String { folder.appendingPathComponent("tokens.db").path }

    /// Runs a mirror once.
    @discardableResult
    func mirror(
        _ feeds: FakeFeeds, refills: Bool = false, deletes: Bool = false,
        open: (@Sendable () throws -> any MirrorTarget)? = nil
    ) async throws -> Mirror.Summary {
        var options = Mirror.Options()
        options.isOnce = true
        options.refills = refills
        options.deletesRetired = deletes
        return try await mirror(feeds, options, log: { _ in }, pause: { _ in }, open: open).run()
    }

    /// Runs a mirror that follows the changes, and cancels it in the given pause.
    ///
    /// - Returns: its pauses, and the lines of its log.
    func follow(_ feeds: FakeFeeds, pauses: Int) async throws -> (pauses: [Duration], lines: [String]) {
        let taken = Mutex<[Duration]>([])
        let lines = Mutex<[String]>([])
        let mirror = mirror(
            feeds, Mirror.Options(), log: { line in lines.withLock { $0.append(line) } },
            pause: { duration in
                let count = taken.withLock { pauses in
                    pauses.append(duration)
                    return pauses.count
                }
                if count == pauses { throw CancellationError() }
            })
        do {
            _ = try await mirror.run()
        } catch is CancellationError {}
        return (taken.withLock(\.self), lines.withLock(\.self))
    }

    private func mirror(
        _ feeds: FakeFeeds, _ options: Mirror.Options, log: @escaping @Sendable (String) -> Void,
        pause: @escaping @Sendable (Duration) async throws -> Void,
        open: (@Sendable () throws -> any MirrorTarget)? = nil
    ) -> Mirror {
        var options = options
        options.pageSize = pageSize
        return Mirror(
            table: table.name, client: feeds.client, options: options, log: log, pause: pause,
            open: open ?? { try self.open() })
    }

    func rows() async throws -> [MirrorRow] {
        let text =
            "SELECT token_id, value, state, device_id FROM device_tokens WHERE app = 'shop' ORDER BY token_id"
        switch kind {
        case .postgres:
            return try await database.query(text) { row in
                MirrorRow(
                    tokenID: try row.get(0, as: Int64.self), value: try row.get(1, as: String.self),
                    state: try row.get(2, as: String.self), device: try row.getOptional(3, as: String.self))
            }
        case .sqlite:
            return try SQLiteDatabase(path: path).rows(SQLFile(name: "test", text: text)).map { row in
                MirrorRow(
                    tokenID: row[0].integer ?? 0, value: row[1].text ?? "", state: row[2].text ?? "",
                    device: row[3].text)
            }
        }
    }

    /// Runs a statement of the sender's own.
    func execute(_ text: String) async throws {
        switch kind {
        case .postgres: try await database.execute(text)
        case .sqlite: try SQLiteDatabase(path: path).run(SQLFile(name: "test", text: text))
        }
    }

    /// The number of pages that were applied.
    func pages() throws -> Int64 { try open().position()?.revision ?? 0 }
}
