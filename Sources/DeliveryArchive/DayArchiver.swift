public import Foundation
internal import Maintenance
public import PostgresClient

public enum ArchiveFormat: Sendable {
    case parquet, ndjson

    var fileName: String { self == .parquet ? "notifications.parquet" : "notifications.ndjson.gz" }

    func encoder(_ columns: [ArchivedColumn]) -> any RowEncoder {
        self == .parquet ? ParquetRows(columns) : NDJSONRows(columns)
    }
}

/// The result of archiving one UTC day.
public struct ArchivedDay: Hashable, Sendable {
    public enum Outcome: String, Sendable {
        case archived
        /// Its archive has what the database has.
        case unchanged
        /// Archived, and its notifications are no longer in the database.
        case dropped
        /// Its table was always in use, or the run was stopped: the next run tries again.
        case postponed
    }

    public let day: Instant
    public var rows: Int64 = 0
    public var bytes: Int64 = 0
    public var outcome = Outcome.postponed
}

/// Writes whole days of notifications into a folder, each into a folder `day=2026-03-01` with a file and its
/// manifest, and drops them from the database if asked to.
///
/// The folder of a day appears in one step, once everything in it is on disk and equal to the counters. So a
/// run may end anywhere, and the next one begins the day again. A day that is to be dropped is closed first:
/// its late events are too old from then on, so that the file has its last rows. It is read back before the
/// day is dropped.
public struct DayArchiver {
    let folder: URL
    let format: ArchiveFormat
    let drops: Bool
    /// The number of the cell; `nil` if there is only one.
    let cell: Int?
    let connection: PostgresConnection
    let isStopped: () -> Bool
    /// Called after each step of a day; tests end the run there.
    var observe: (Step) throws -> Void = { _ in }

    enum Step: CaseIterable, Sendable {
        case closed, drafted, moved, checked, dropped
    }

    /// Younger days are not dropped: devices may still create days up to this age.
    static let leastAge: Int64 = 14
    static let rowsPerPage: Int64 = 10_000

    public init(
        folder: URL, format: ArchiveFormat, drops: Bool, cell: Int? = nil, on connection: PostgresConnection,
        isStopped: @escaping () -> Bool = { false }
    ) {
        (self.folder, self.format, self.drops, self.cell) = (folder, format, drops, cell)
        (self.connection, self.isStopped) = (connection, isStopped)
    }

    /// Archives all days that ended before an instant, the oldest first.
    ///
    /// - Parameter progress: called with the day and the number of rows that are written.
    /// - Throws: ``ArchiveError``, `PostgresError`. Days archived before stay archived.
    public func run(
        before: Instant, progress: (Instant, Int64) -> Void = { _, _ in }
    ) throws -> [ArchivedDay] {
        let youngest = try connection.clock() - .days(Self.leastAge)
        if drops, before > youngest { throw ArchiveError.tooYoung(days: Self.leastAge) }
        var archived: [ArchivedDay] = []
        let days: [Instant] = try connection.query(
            drops ? .Maintenance.listPartitions : .Maintenance.occupiedDays
        ).map { try $0.get("day") }
        for day in days where day + .days(1) <= before && !isStopped() {
            archived.append(try drops ? archiveAndDrop(day, progress) : archive(day, progress))
            // Dropping a day records that all earlier ones are gone.
            if drops, archived.last?.outcome != .dropped { break }
        }
        if drops, let keptFrom: Instant = try connection.query(.Ingestion.keptFrom).first?.get("kept_from") {
            _ = try connection.removeTraces(before: keptFrom, isStopped: isStopped)
        }
        return archived
    }

    private func archive(_ day: Instant, _ progress: (Instant, Int64) -> Void) throws -> ArchivedDay {
        if let known = try known(day), known.file == format.fileName, known.apps == (try counted(day).apps) {
            return ArchivedDay(day: day, rows: known.rows, bytes: known.bytes, outcome: .unchanged)
        }
        guard let written = try write(day, progress) else { return ArchivedDay(day: day) }
        return ArchivedDay(day: day, rows: written.rows, bytes: written.bytes, outcome: .archived)
    }

    /// The manifest in the day's folder; `nil` if there is no folder.
    private func known(_ day: Instant) throws -> ArchiveManifest? {
        let place = place(of: day)
        guard FileManager.default.fileExists(atPath: place.path) else { return nil }
        let manifest = place.appendingPathComponent(ArchiveManifest.name)
        let known = try? JSONDecoder().decode(ArchiveManifest.self, from: Data(contentsOf: manifest))
        guard let known, known.database == (try origin()) else {
            throw ArchiveError.notOurs(path: place.path)
        }
        return known
    }

    private func origin() throws -> String {
        try connection.query(.Maintenance.archiveOrigin).single().get("created_at", as: Instant.self).rfc3339
    }

    private func archiveAndDrop(
        _ day: Instant, _ progress: (Instant, Int64) -> Void
    ) throws -> ArchivedDay {
        _ = try known(day)
        guard try close(day) else { return ArchivedDay(day: day) }
        try observe(.closed)
        guard let written = try write(day, progress), try isDone(.Maintenance.dropPartition, day) else {
            return ArchivedDay(day: day)
        }
        try observe(.dropped)
        return ArchivedDay(day: day, rows: written.rows, bytes: written.bytes, outcome: .dropped)
    }

    /// Waits for maintenance, which must not exchange the partition by packing it.
    private func close(_ day: Instant) throws -> Bool {
        while !isStopped() {
            if let lock = try connection.hold(.maintenance) {
                defer { lock.release() }
                return try isDone(.Maintenance.closePartition, day)
            }
            Thread.sleep(forTimeInterval: 0.5)
        }
        return false
    }

    /// Returns `false` if the table was in use all the time.
    private func isDone(_ statement: SQLFile, _ day: Instant) throws -> Bool {
        do {
            return try connection.locking(isStopped: isStopped) {
                try connection.coordinating().query(statement, [.value(day)])
            } != nil
        } catch let error as PostgresError {
            guard let appID = error.movingApp else { throw error }
            throw ArchiveError.appMoving(appID: appID)
        }
    }

    /// Writes the day's folder; none if it has no notifications. Returns `nil` if the run was stopped.
    private func write(_ day: Instant, _ progress: (Instant, Int64) -> Void) throws -> ArchiveManifest? {
        let (files, place) = (FileManager.default, place(of: day))
        let draft = folder.appendingPathComponent(".draft-\(day.utcDate)")
        try? files.removeItem(at: draft)
        try files.createDirectory(at: draft, withIntermediateDirectories: true)
        defer { try? files.removeItem(at: draft) }
        let written = try connection.snapshot {
            try connection.execute(script: .Reports.lockDeliveries)
            return try writeRows(day, to: draft.appendingPathComponent(format.fileName), progress)
        }
        guard let manifest = written, manifest.rows > 0 else { return written }
        try manifest.write(in: draft)
        ArchiveFile.synchronize(folder: draft)
        try observe(.drafted)
        try? files.removeItem(at: place)
        try files.moveItem(at: draft, to: place)
        ArchiveFile.synchronize(folder: folder)
        try observe(.moved)
        let file = place.appendingPathComponent(manifest.file)
        guard try ArchiveFile.digest(of: file) == manifest.sha256 else {
            throw ArchiveError.damaged(path: file.path)
        }
        try observe(.checked)
        return manifest
    }

    /// Writes the file. In the same snapshot, the counters must say the same.
    private func writeRows(
        _ day: Instant, to url: URL, _ progress: (Instant, Int64) -> Void
    ) throws -> ArchiveManifest? {
        var file = try ArchiveFile(at: url)
        var (encoder, columns): ((any RowEncoder)?, [ArchivedColumn]) = (nil, [])
        var found: [AppState: Int64] = [:]
        var last = (id: "00000000-0000-0000-0000-000000000000", app: Int64(0), at: day)
        var page: PostgresRows
        repeat {
            guard !isStopped() else { return nil }
            page = try connection.query(
                .Maintenance.archivedRows,
                [
                    .value(day), .value(day + .days(1)), .value(last.id), .value(last.app), .value(last.at),
                    .value(Self.rowsPerPage),
                ])
            if encoder == nil {
                columns = try ArchivedColumn.all(of: page)
                encoder = format.encoder(columns)
            }
            for row in page {
                let values = try columns.enumerated().map { try $1.value(of: row, at: $0) }
                if let bytes = try encoder?.append(values), !bytes.isEmpty { try file.write(bytes) }
                let state = AppState(app: try row.get("app"), state: try row.get("state"))
                found[state, default: 0] += 1
                last = (try row.get("notification_id"), try row.get("app_id"), try row.get("counted_at"))
            }
            progress(day, found.values.reduce(0, +))
        } while page.count == Int(Self.rowsPerPage)
        let counted = try counted(day)
        guard found == counted.states else { throw ArchiveError.countersDiffer(day: day.utcDate) }
        try file.write(try encoder?.finish() ?? [])
        let (bytes, sha256) = try file.finish()
        return ArchiveManifest(
            database: try origin(), cell: cell, day: day.utcDate, file: format.fileName,
            rows: found.values.reduce(0, +), bytes: bytes, sha256: sha256,
            columns: columns.map { .init(name: $0.name, type: "\($0.kind)") },
            apps: counted.apps)
    }

    private struct AppState: Hashable {
        let app: String
        let state: Int64
    }

    /// The numbers of the day according to the counters, from which reports are computed.
    private func counted(_ day: Instant) throws -> (states: [AppState: Int64], apps: [ArchiveManifest.App]) {
        var (states, apps): ([AppState: Int64], [ArchiveManifest.App]) = ([:], [])
        let rows = try connection.query(
            .Maintenance.archivedStates, [.value(day), .value(day + .days(1))])
        for row in rows {
            let state = AppState(app: try row.get("app"), state: try row.get("state"))
            let count: Int64 = try row.get("notifications")
            states[state] = count
            // Rows of one app follow one another.
            var app = apps.last?.app == state.app ? apps.removeLast() : ArchiveManifest.App(app: state.app)
            app.notifications += count
            for measure in try row.getArray("measures", of: String.self) {
                app.sums[measure, default: 0] += count
            }
            apps.append(app)
        }
        return (states, apps)
    }

    private func place(of day: Instant) -> URL { folder.appendingPathComponent("day=\(day.utcDate)") }
}
