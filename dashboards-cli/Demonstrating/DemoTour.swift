internal import DeliveryModel
internal import PostgresClient
internal import Reports
internal import Simulation

/// Shows every report of the demo's day, and compares all their numbers with what really happened.
struct DemoTour {
    let app: ReportApp
    let truth: SimulatedTruth
    let style: OutputStyle
    let connection: PostgresConnection

    func showTruth(_ received: ReceivedCounts) {
        show(TruthTable(truth, style).lines + [""] + ReceivedTable(received, style).lines)
    }

    /// Prints what the commands would print.
    func showReports() throws {
        try show("funnel") {
            FunnelTable(try FunnelReport.run(query(), on: connection, now: .now), style).lines
        }
        try show("funnel --by campaign") {
            FunnelTable(try FunnelReport.run(query(by: [.campaign]), on: connection, now: .now), style).lines
        }
        try show("reach") { ReachTable(try ReachReport.run(query(), on: connection, now: .now), style).lines }
        try show("clicks --by campaign") {
            ClicksTable(try ClicksReport.run(query(by: [.campaign]), on: connection, now: .now), style).lines
        }
        try show("tokens status") {
            TokenStatusTable(try TokenStatusReport.run(for: app, on: connection, now: .now), style).lines
        }
    }

    /// Recounts the notifications, and compares the reports with the truth.
    ///
    /// - Throws: ``DemoProblem/differs(numbers:counters:)``.
    func prove() throws {
        let verification = try Verification.run(on: connection)
        let names = try verification.names(on: connection)
        try show("verify") { VerificationTable(verification, names, style).lines }
        let check = try TruthCheck.run(truth, of: app, on: connection, now: .now)
        show(["", style.paint("Reports against what really happened", .title)])
        show(TruthCheckTable(check, style).lines + [""])
        guard check.differenceCount == 0, verification.differenceCount == 0 else {
            throw DemoProblem.differs(numbers: check.differenceCount, counters: verification.differenceCount)
        }
        let compared = "\(grouped(Int64(check.comparisonCount))) numbers compared"
        show([style.paint("Every number equals what really happened: \(compared).", .confirmed)])
    }

    private func show(_ command: String, _ lines: () throws -> [String]) throws {
        try Task.checkCancellation()
        show(["", style.paint("$ landfall \(command)", .aside)])
        show(try lines())
    }

    private func show(_ lines: [String]) {
        print(lines.joined(separator: "\n"))
    }

    private func query(by dimensions: [Dimension] = []) throws -> ReportQuery {
        try ReportQuery(app: app, window: ReportWindow(of: truth), timeZone: .utc, by: dimensions)
    }
}
