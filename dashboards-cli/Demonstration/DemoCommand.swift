internal import Access
internal import ArgumentParser
internal import ChildPrograms
internal import DeliveryModel
internal import EmbeddedPostgres
internal import Foundation
internal import PostgresClient
internal import Rendering
internal import Reports
internal import Simulation

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Simulate a day, report on it, and check the numbers.",
        discussion: """
            Starts a private PostgreSQL and landfall-server in a temporary folder, posts a day of traffic \
            whose numbers are all known, prints the reports, recounts the counters, and compares all of it \
            with what really happened. Exits with 1 if anything differs. The folder is removed afterward. \
            Neither the data in LANDFALL_DATA nor any other database is touched.

              landfall demo
              landfall demo --installations 20000 --seed 7 --keep
              landfall demo --end 2026-03-02
            """)

    @Option(help: "The number of simulated installations.") var installations = 2_000

    @Option(help: "The seed of the simulation: the same seed and end generate the same traffic.")
    var seed: UInt64 = 1

    @Option(
        help: .value(
            "When the day of traffic ends: 2026-03-02 (UTC) or 2026-03-02T09:30:00+01:00. Default: now, rounded down to a quarter hour.",
            "instant"), transform: SimulationOptions.instant)
    var end: Instant?

    @Flag(help: "Keep the data folder, and print the commands to explore it.") var keep = false

    func validate() throws {
        try checkRange("--installations", installations, in: 1...1_000_000)
        guard end ?? .now <= .now else { throw ValidationError("--end must not be in the future.") }
    }

    func run() async throws {
        let now = Instant.now
        var traffic = SimulationSettings(endingAt: end ?? now.startOfQuarter, hours: 24, now: now)
        traffic.installations = installations
        traffic.seed = seed
        let demo = Demo(settings: traffic, keeps: keep, style: .stdout())
        try await StopSignals.cancelling { try await demo.run() }
    }
}

/// The whole demo, unattended: a private database, a server, a day of traffic, all reports, and their check.
///
/// Resources are closed in reverse order, also after an error: server, connection to the database, folder.
struct Demo: Sendable {
    let settings: SimulationSettings
    /// Keeps the data folder and prints how to explore it.
    let keeps: Bool
    let style: OutputStyle

    static let slug = "demo"

    /// - Throws: ``CommandProblem`` if any number differs.
    func run() async throws {
        let program = try ServerProgram.executable()
        let folder = try ThrowawayFolder.create(for: "demo")
        try await ending({ try keeps ? tellHowToLook(at: folder) : folder.remove() }) {
            try await run(program, in: folder)
        }
    }

    /// Starts the database here and not in the server, so that no signal can end the program that starts it
    /// and leave the database behind.
    private func run(_ program: URL, in folder: ThrowawayFolder) async throws {
        note("Starting a private PostgreSQL in \(folder.url.path)")
        let database = try folder.startDatabase(isDurable: false)
        try await ending({ try folder.end(database) }) {
            try Task.checkCancellation()
            // A temporary database need not survive a power failure.
            let server = try await ServerProgram.start(
                program, dataFolder: folder.url, variables: ["LANDFALL_DATABASE_ALLOW_UNSAFE": "true"])
            try await ending({
                if !server.stop() { note("landfall-server did not stop in time and was killed") }
            }) {
                note("landfall-server listens on \(server.address)")
                try await play(on: server.address, PostgresConnection(url: database.connectionURL))
            }
        }
    }

    private func play(on server: String, _ connection: PostgresConnection) async throws {
        let (app, key) = try makeApp(on: connection)
        let traffic = TrafficSimulation.generate(settings)
        note("Posting \(grouped(Int64(traffic.events.count))) events of a simulated day")
        let received = try await TrafficPoster.post(
            traffic, to: server, key: key.text, patience: .seconds(60))
        try Task.checkCancellation()
        try Stdout.write(lines: traffic.truth.lines(style) + [""] + received.lines(style))
        let tour = DemoTour(app: app, truth: traffic.truth, style: style, connection: connection)
        try tour.showReports()
        try tour.prove()
    }

    /// A server with a private database has already created the app.
    private func makeApp(on connection: PostgresConnection) throws -> (App, APIKey) {
        let directory = AppDirectory(connection)
        let made = try directory.apps().first { $0.slug == Self.slug }
        let app = try made ?? directory.createApp(slug: Self.slug, at: .now)
        return (app, try directory.createKey(kind: .server, for: app, at: .now))
    }

    private func tellHowToLook(at folder: ThrowawayFolder) throws {
        let window = try ReportWindow(of: settings).options
        note("The data stays in \(folder.url.path):")
        let landfall = "LANDFALL_DATA=\(shellWord(folder.url.path)) landfall"
        for command in ["", " doctor", " funnel --by campaign \(window)"] { note("  \(landfall)\(command)") }
    }
}

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
