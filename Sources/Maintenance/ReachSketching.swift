internal import DeliveryModel
internal import PostgresClient

/// Builds the sketches of reach (docs/decisions/0024): those of quarter hours from the
/// notifications, day by day, and those of longer spans from these.
struct ReachSketching {
    let connection: PostgresConnection

    /// Younger quarter hours still change with every batch.
    static let leastAge = Span.hours(1)

    /// Builds sketches that are missing or older than their counters. Each day of an app is a transaction.
    ///
    /// - Parameter days: the maximum number of days; the rest is left for the next run.
    func build(now: Instant, days: Int64, isStopped: () -> Bool) throws -> MaintenanceReport.Sketched {
        var sketched = MaintenanceReport.Sketched()
        guard try hasExtension() else { return sketched }
        let before = (now - Self.leastAge).startOfQuarter
        let stale = try connection.query(.Maintenance.staleSketchDays, [.value(before), .value(days)])
        for row in stale {
            guard !isStopped() else { return sketched }
            sketched.sketches += try build(appID: row.get("app_id"), day: row.get("day"), before, now)
            sketched.days += 1
        }
        try countAudiences(now: now, isStopped: isStopped)
        return sketched
    }

    /// Whether this database can sketch. People create the extension: once it exists, reports estimate.
    private func hasExtension() throws -> Bool {
        try connection.transaction { try connection.query(.Administration.nameSketchFunctions).first != nil }
    }

    private func build(appID: Int64, day: Instant, _ before: Instant, _ now: Instant) throws -> Int64 {
        let end = day + .days(1)
        let bits = [DeliveryState.attempted, .accepted, .seenOnDevice, .clicked]
        return try connection.transaction {
            try connection.query(.Administration.nameSketchFunctions)
            let quarters: Int64 = try connection.query(
                .Maintenance.buildQuarterSketches,
                [.value(appID), .value(day), .value(min(end, before)), .value(now)]
                    + bits.map { .value($0.rawValue) }
            ).single().get("built")
            let spans: Int64 = try connection.query(
                .Maintenance.buildSpanSketches, [.value(appID), .value(day), .value(end), .value(now)]
            ).single().get("built")
            return quarters + spans
        }
    }

    /// Stores the audience too, because reports that read sketches do not count it.
    private func countAudiences(now: Instant, isStopped: () -> Bool) throws {
        let kinds = TokenKind.alerting.map(\.rawValue)
        for app in try connection.query(.Access.listApps) where !isStopped() {
            let appID: Int64 = try app.get("app_id")
            let audience: Int64 = try connection.query(
                .Reports.audience, [.value(appID), .array(kinds), .value(now)]
            ).single().get("audience")
            try connection.query(.Maintenance.storeAudience, [.value(appID), .value(audience), .value(now)])
        }
    }
}
