internal import PostgresClient

/// Packs days that few events still change: they then take half the room. Events of a packed day still
/// count.
struct DayPacking {
    let settings: MaintenanceSettings
    let connection: PostgresConnection

    /// Each step is a transaction (`landfall.pack_delivery_partition`). Beyond this many, events change the
    /// day faster than its changes are copied, and it is left for the next run.
    private static let mostSteps = 20

    func pack(now: Instant, report: inout MaintenanceReport, isStopped: () -> Bool) throws {
        // Citus allows no triggers.
        guard let age = settings.packedAfter, connection.citus == nil else { return }
        let days: [Instant] = try connection.query(
            .Maintenance.packableDays, [.value(now - age), .value(settings.leastPackedBytes)]
        ).map { try $0.get("day") }
        for day in days.prefix(settings.packedDays) where !isStopped() {
            if try pack(day, isStopped: isStopped) { report.daysPacked.append(day) }
        }
        report.daysPacked.sort()
        report.daysToPack = Int64(days.count - report.daysPacked.count)
    }

    /// Returns `false` if the table was in use all the time, or the run was stopped.
    private func pack(_ day: Instant, isStopped: () -> Bool) throws -> Bool {
        for _ in 1...Self.mostSteps where !isStopped() {
            let step = try connection.locking(isStopped: isStopped) {
                try connection.query(.Maintenance.packPartition, [.value(day)])
                    .single().get("step", as: String.self)
            }
            if step == nil || step == "packed" { return step != nil }
        }
        return false
    }
}
