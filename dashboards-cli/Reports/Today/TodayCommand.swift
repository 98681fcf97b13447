internal import Access
internal import ArgumentParser
internal import CommandNames
internal import DeliveryModel
internal import EmbeddedPostgres
internal import Foundation
internal import PostgresClient
internal import Rendering
internal import Reports

/// `landfall` alone, and `landfall today`: prints a `TodayPage`.
struct TodayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "today", abstract: "Show today at a glance, and what to try next.",
        discussion: """
            Shows what was sent since local midnight, compared with yesterday up to the same time, the last \
            hours, the largest campaigns, rejections by class, and the tokens. With several apps, prints one \
            line for each; --app shows one in full. If nothing is recorded yet, shows what to do first. A server \
            that is asked over HTTP shows the app of the key, and nothing to try next.

              landfall
              landfall today --app shop --tz Europe/Berlin
              landfall --json
              landfall --profile shop
            """)

    @OptionGroup(title: "Database") var database: DatabaseOptions
    @Option(help: .value("The app. Default: all apps.", "slug"), completion: .apps) var app: String?
    @OptionGroup var profile: ProfileOption
    @OptionGroup var timeZone: TimeZoneOption
    @OptionGroup(title: "Output") var output: ReportOutputOptions

    /// Receives a word in the place of a command, so that a misspelled command can be reported.
    @Argument(parsing: .allUnrecognized, help: .hidden) var words: [String] = []

    func validate() throws {
        if let word = words.first { throw ValidationError(Self.complaint(about: word)) }
    }

    private static func complaint(about word: String) -> String {
        guard !word.hasPrefix("-") else { return "Unknown option '\(printable(word))'." }
        return UnknownCommand(in: [word], of: Landfall.self)?.description
            ?? "'\(printable(word))' is not an option: the command comes first. See landfall --help."
    }

    func run() async throws {
        if let server = try profile.server(unless: database) {
            return try await server.write("today", given([("app", app), ("tz", timeZone.tz)]), output)
        }
        try output.write(try page(.now), of: database)
    }

    private func page(_ now: Instant) throws -> TodayPage {
        switch try database.privateCondition() {
        case .absent:
            let place = printable(try database.settings().dataFolder.path)
            return TodayPage(
                nothingAsOf: now, database: "absent",
                "There is no database yet: --database, LANDFALL_DATABASE_URL and the configuration file name none, and there is none in \(place).",
                NextStep.withoutDatabase)
        case .stopped: note("starting the private database for this run; landfall-server keeps it running")
        case .running, .closed, nil: break
        }
        return try database.withDatabase { try read($0, now) }
    }

    private func read(_ front: ChosenDatabase, _ now: Instant) throws -> TodayPage {
        let (directory, zone) = (try front.connect(), try timeZone.zone)
        let all = try CellDirectory(directory).apps()
        func home(of app: App) throws -> PostgresConnection {
            try app.cell == .front ? directory : database.find(app.slug, in: front).2
        }
        guard !all.isEmpty else {
            let place = try database.settings().databaseName
            return TodayPage(
                nothingAsOf: now, database: "ready",
                "There is no app in \(place) yet, so nothing is recorded.", NextStep.withoutApp)
        }
        let shown = try asUsage { try app.map { [try App.named($0, among: all)] } ?? all }
        return try WaitingLine.whileWaiting("counting today's notifications and all tokens") {
            let days = try shown.map { try AppToday.run(for: $0, in: zone, on: home(of: $0), now: now) }
            let only = days.count == 1 ? days.first : nil
            let health = try only.map { try TokenHealth.run(for: $0.app, on: home(of: $0.app), now: now) }
            let steps =
                only.map { NextStep.after($0, health, namesApp: app != nil || all.count > 1) }
                ?? [
                    NextStep(
                        command: NextStep.command("", app: shown[0], zone: zone),
                        reason: "shows one app in full")
                ]
            return TodayPage(asOf: now, timeZone: zone, days: days, health: health, steps: steps)
        }
    }
}
