internal import Access
internal import Instants
internal import PostgresClient
internal import Rendering
internal import Reports
internal import Simulation
internal import Wording

/// Shows the reports of the demo's day, and compares all their numbers with the truth.
struct DemoTour {
    let app: App
    let truth: SimulatedTruth
    let style: OutputStyle
    let connection: PostgresConnection

    func showReports() throws {
        let window = try ReportWindow(of: truth)
        let whole = try ReportQuery(app: app, window: window, timeZone: .utc)
        let byCampaign = try ReportQuery(app: app, window: window, timeZone: .utc, by: [.campaign])
        try show("funnel --by campaign \(window.options)") {
            try FunnelReport.run(byCampaign, on: connection, now: .now).lines(style)
        }
        try show("reach \(window.options)") {
            try ReachReport.run(whole, on: connection, now: .now).lines(style)
        }
        try show("clicks \(window.options)") {
            try ClicksReport.run(whole, on: connection, now: .now).lines(style)
        }
        try show("tokens status") {
            try TokenStatusReport.run(for: app, on: connection, now: .now).lines(style)
        }
    }

    /// Recounts the notifications and compares the reports with the truth.
    ///
    /// - Throws: ``CommandProblem`` if a number differs.
    func prove() throws {
        let verification = try Verification.run(on: connection)
        let names = try verification.names(on: connection)
        try show("verify") { VerificationTable(verification, names, style).lines }
        let check = try TruthCheck.run(truth, of: app, on: connection, now: .now)
        guard check.differenceCount == 0, verification.differenceCount == 0 else {
            let heading = style.paint("Reports compared with what really happened", .title)
            try Stdout.write(lines: ["", heading] + check.lines(style))
            throw CommandProblem(
                "\(check.differenceCount) numbers differ from what really happened, and "
                    + "\(verification.differenceCount) counters from the notifications")
        }
        let compared = "\(grouped(Int64(check.comparisonCount))) numbers compared"
        let groups = check.groups.map(\.name).joined(separator: ", ")
        let verdict = "Every number equals what really happened: \(compared) (\(groups))."
        try Stdout.write(lines: [""] + folded(verdict, to: style.width).map { style.paint($0, .confirmed) })
    }

    private func show(_ command: String, _ lines: () throws -> [String]) throws {
        try Task.checkCancellation()
        try Stdout.write(lines: ["", style.paint("$ landfall \(command)", .aside), ""] + lines())
    }
}

extension ReportWindow {
    /// The options for this window, in UTC: `--from 2026-03-01 --to 2026-03-02`.
    var options: String { "--from \(Self.word(from)) --to \(Self.word(to))" }

    private static func word(_ instant: Instant) -> String {
        let isMidnight = ReportTimeZone.utc.startOfDay(instant) == instant
        return isMidnight
            ? LocalTime(instant, utcOffsetMinutes: 0).date : instant.rfc3339.replacing(".000Z", with: "Z")
    }

    /// The window in which traffic with these settings is sent.
    init(of settings: SimulationSettings) throws(ReportError) {
        let start = Instant(millisecondsSinceEpoch: settings.start)
        try self.init(from: start, to: start + .hours(Int64(settings.hours)))
    }
}
