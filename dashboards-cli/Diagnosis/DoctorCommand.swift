internal import Access
internal import ArgumentParser
internal import DeliveryModel
internal import Doctor
internal import Foundation
internal import PostgresClient
internal import Reports
internal import Settings

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Report recent problems, with numbers.",
        discussion: """
            Examines the last hours and compares them with the week before: rejections by build, topic and \
            environment; addresses where most pushes are rejected; trouble at the provider; extensions that \
            stopped reporting; senders without mutable-content; silence at a busy hour; open breakers; 410 \
            for all versions at once; device events without a response; rejected items; the sweep; \
            maintenance; and whether the database is durable. Small numbers and differences due to chance \
            are not reported; docs/doctor.md lists every threshold. Reads counters and changes nothing.

            Exits with 1 if there is a problem, so that cron can mail it, and with 0 if all is well or there \
            are only warnings. With --warnings, warnings also cause exit code 1.

              landfall doctor
              landfall doctor --app shop --hours 6 --json
              landfall doctor --html > doctor.html
              landfall doctor --warnings > /tmp/doctor.txt || mail -s 'Landfall' push-team@example.com < /tmp/doctor.txt
            """)

    @OptionGroup(title: "Database") var database: DatabaseOptions
    @Option(help: .value("Only this app. Default: all apps.", "slug")) var app: String?
    @Option(help: "Examine this many hours, 1 to \(Examination.mostHours).") var hours: Int64 = 24

    @Option(
        help: .when(
            "Examine what was sent before this instant, with everything known about it today: 2026-03-01 (UTC), 2026-03-01T09:30:00+01:00, 6h, yesterday. Default: now."
        ))
    var asOf: String?

    @Option(
        help: .value(
            "The free GB on the disk of the database, to report when it will be full. Known for a private database.",
            "GB"))
    var freeDisk: Int64?

    @Flag(help: "Exit with 1 for warnings, too.") var warnings = false
    @OptionGroup(title: "Output") var output: ReportOutputOptions

    func validate() throws {
        try checkRange("--hours", hours, in: 1...Examination.mostHours)
        try checkRange("--free-disk", freeDisk ?? 0, in: 0...1_000_000)
        try asValidation { _ = try WindowBound.pastInstant(asOf, as: "as-of", in: .utc, now: .now) }
    }

    /// Whether the command exits with 1, so that cron reports it.
    func isTrouble(_ report: DoctorReport) -> Bool {
        report.count(.problem) > 0 || warnings && report.count(.warning) > 0
    }

    func run() throws {
        let now = try asUsage { try WindowBound.pastInstant(asOf, as: "as-of", in: .utc, now: .now) }
        let cells = try database.severalCells(unless: app)
        let patients =
            if cells.isEmpty {
                try database.withHome(of: app) { try examine($0, now) }
            } else {
                cells.flatMap { examine(cell: $0, now) }
            }
        let report = DoctorReport(asOf: now, hours: hours, patients: patients)
        try output.write(report, of: database)
        if patients.allSatisfy({ $0.app == nil }) { try database.noteNothing("There is no app") }
        guard !isTrouble(report) else { throw ExitCode.failure }
    }

    private func examine(_ chosen: ChosenDatabase, _ now: Instant) throws -> [DoctorReport.Patient] {
        let settings = try database.settings()
        let freeBytes = freeDisk.map { $0 * 1_000_000_000 } ?? freeBytes(settings)
        let isOneOfSeveral = try !database.severalCells(unless: app).isEmpty
        let connection = try chosen.connect()
        return try asUsage {
            let known = try AppDirectory(connection).apps()
            // If there is no app, there is nothing to examine, which is not an error.
            let apps = app == nil ? known : [try App.named(app, among: known)]
            return try WaitingLine.whileWaiting("examining the last hours and weeks") {
                try DoctorReport.run(
                    for: apps, hours: hours, isPast: asOf != nil, freeBytes: freeBytes,
                    examinesServer: !settings.values.allowsUnsafeDatabase, isOneOfSeveral: isOneOfSeveral,
                    on: connection, now: now
                ).patients
            }
        }
    }

    /// A cell that cannot be examined is a finding, so that the others are examined.
    private func examine(cell: CellNumber, _ now: Instant) -> [DoctorReport.Patient] {
        do {
            var patients = try examine(database.settings().database(of: cell), now)
            for index in patients.indices { patients[index].cell = cell }
            return patients
        } catch {
            return [.init(unavailable: cell, reason: "\(error)")]
        }
    }

    private func freeBytes(_ settings: FoundSettings) -> Int64? {
        guard settings.values.usesPrivateDatabase else { return nil }
        var disk = statvfs()
        guard statvfs(settings.dataFolder.path, &disk) == 0 else { return nil }
        return Int64(disk.f_bavail) * Int64(disk.f_frsize)
    }
}
