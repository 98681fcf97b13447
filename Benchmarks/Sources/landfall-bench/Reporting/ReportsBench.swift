internal import ChildPrograms
internal import DeliveryModel
internal import PostgresClient
internal import Reports

/// Measures every report over 30 days, in stages with more and more notifications, each in its own database.
struct ReportsBench: Sendable {
    let settings: ReportsBenchSettings

    func run() async throws -> ReportsBenchReport {
        let (version, small) = try await SmallAppMeasurement(repetitions: settings.repetitions).run()
        var stages: [ReportsStage] = []
        var postgres = version
        for rows in settings.rows {
            let (version, stage) = try await measure(rows: rows)
            postgres = version
            stages.append(stage)
        }
        let machine = Machine(postgres: postgres)
        return ReportsBenchReport(machine: machine, settings: settings, small: small, stages: stages)
    }

    private func measure(rows: Int) async throws -> (postgres: String, stage: ReportsStage) {
        // Nothing is written while reports are measured, so the database need not be durable.
        try await BenchDatabase.with(isDurable: false) { database in
            (try database.serverVersion(), try await measure(rows: rows, in: database))
        }
    }

    private func measure(rows: Int, in database: BenchDatabase) async throws -> ReportsStage {
        let now = Instant.now
        // The window ends with yesterday, which is over, so that all of it can be sketched.
        let traffic = ReportTraffic(rows: rows, to: now.startOfUTCDay)
        let pool = database.pool(.forServer, size: 2, plansOnce: false)
        var sketching: Double?
        let preparation = try await measuring {
            try await ending({ try await pool.close() }) {
                let filling = ReportFilling(appID: database.appID, traffic: traffic, pool: pool)
                note(
                    "loading \(grouped(rows)) notifications to \(grouped(settings.installations)) installations"
                )
                try await filling.fill(installations: settings.installations)
                note("folding and verifying their counters")
                try await filling.fold(now: now)
                try await filling.verify()
                sketching = try await filling.sketch(now: now)
            }
            try database.connection(to: .forServer).execute(script: .Bench.settle)
        }
        note("prepared in \(Int(preparation.rounded())) s")
        let measurement = ReportMeasurement(
            connection: try database.connection(to: .forServer),
            app: App(appID: database.appID, slug: "bench"), from: traffic.from, to: traffic.to, now: now,
            repetitions: settings.repetitions)
        let reports = try MeasuredReport.all.map { report in
            note("measuring \(report.title)")
            return try measurement.measure(report)
        }
        note("measuring pages of the console")
        let pages = try await PageMeasurement(
            database: database, repetitions: settings.repetitions
        ).measure(from: traffic.from, to: traffic.to)
        return ReportsStage(
            rows: rows, preparationSeconds: preparation, sketchingSeconds: sketching,
            plainCount: try measurement.plainCount(),
            reports: reports + pages)
    }
}
