internal import Foundation
package import PostgresClient

/// Creates daily partitions before they are needed, and drops them once their day is past the retention.
struct RetentionKeeper {
    let settings: MaintenanceSettings
    let connection: PostgresConnection

    /// Creates the partitions of today and the following days.
    func makeAhead(now: Instant, report: inout MaintenanceReport) throws {
        let known = Set(try partitions())
        for offset in 0...settings.daysAhead {
            let day = now.startOfUTCDay + .days(offset)
            guard !known.contains(day) else { continue }
            try connection.coordinating().query(.Ingestion.ensurePartition, [.value(day)])
            report.daysMade += 1
        }
    }

    /// Removes rows of `device_trouble` older than eight days. Only the doctor reads them.
    func dropTroubles(now: Instant, isStopped: () -> Bool) throws {
        _ = try connection.inBatches(
            .Maintenance.removeDeviceTroubles, before: now - .days(8), isStopped: isStopped)
    }

    /// Dates and recipients are removed first: one that outlived its row would send events to a dropped day.
    func dropOld(now: Instant, report: inout MaintenanceReport, isStopped: () -> Bool) throws {
        let keptFrom = try keptFrom(now: now, report: &report)
        guard let keptFrom else { return }
        (report.datesRemoved, report.recipientsRemoved, report.sketchesRemoved) =
            try connection.removeTraces(before: keptFrom, isStopped: isStopped)
        var days = try partitions().filter { $0 < keptFrom }[...]
        // If one day cannot be locked, the others cannot either, and each attempt keeps sessions waiting.
        while let day = days.first, !isStopped(), try drop(day, isStopped: isStopped) {
            report.daysDropped.append(day)
            days.removeFirst()
        }
        report.daysPostponed = Array(days)
    }

    /// Notifications sent before this are dropped; `nil` if none are. Records the hold for the doctor.
    private func keptFrom(now: Instant, report: inout MaintenanceReport) throws -> Instant? {
        guard !settings.shortensRetention else {
            try RetentionSetting.store(settings.retention, on: connection)
            try connection.forget(.retentionHeld)
            return RetentionDecision.horizon(now, settings.retention)
        }
        let decision = RetentionDecision(
            now: now, occupied: try connection.query(.Maintenance.occupiedDays).map { try $0.get("day") },
            wanted: settings.retention, stored: try RetentionSetting.read(on: connection))
        try connection.note(.retentionHeld, from: settings.source, decision.hold)
        report.held = decision.hold
        return decision.keptFrom
    }

    /// Returns `false` if the table was in use all the time.
    private func drop(_ day: Instant, isStopped: () -> Bool) throws -> Bool {
        try connection.locking(isStopped: isStopped) {
            try connection.coordinating().query(.Maintenance.dropPartition, [.value(day)])
        } != nil
    }

    private func partitions() throws -> [Instant] {
        try connection.query(.Maintenance.listPartitions).map { try $0.get("day") }
    }
}

extension PostgresConnection {
    /// Runs work that locks the table of notifications for a moment and gives up after 200 ms, during which
    /// other sessions wait, too. Tries five times.
    ///
    /// - Returns: `nil` if the table was in use all the time.
    package func locking<Value>(isStopped: () -> Bool, _ work: () throws -> Value) throws -> Value? {
        for attempt in 1...5 {
            do {
                return try work()
            } catch let error as PostgresError where error.sqlState == .lockNotAvailable {
                guard attempt < 5, !isStopped() else { break }
                Thread.sleep(forTimeInterval: 0.3)
            }
        }
        return nil
    }

    /// Removes what leads to notifications sent before an instant, and their sketches.
    package func removeTraces(
        before instant: Instant, isStopped: () -> Bool
    ) throws -> (dates: Int64, recipients: Int64, sketches: Int64) {
        (
            try inBatches(.Maintenance.removeNotificationDates, before: instant, isStopped: isStopped),
            try inBatches(.Maintenance.removeMessageRecipients, before: instant, isStopped: isStopped),
            try inBatches(.Maintenance.removeSketches, before: instant, isStopped: isStopped)
        )
    }

    /// Runs a statement about rows from before $1, at most $2 per transaction, until one finds fewer.
    ///
    /// - Returns: the number of all rows.
    func inBatches(_ statement: SQLFile, before instant: Instant, isStopped: () -> Bool) throws -> Int64 {
        let batchSize: Int64 = 5_000
        var rows: Int64 = 0
        while !isStopped() {
            let found: Int64 = try batch {
                try query(statement, [.value(instant), .value(batchSize)]).single().get("row_count")
            }
            rows += found
            guard found == batchSize else { break }
        }
        return rows
    }
}
