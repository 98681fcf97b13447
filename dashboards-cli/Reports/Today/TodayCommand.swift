internal import Access
internal import ArgumentParser
internal import CommandNames
internal import EmbeddedPostgres
internal import Foundation
internal import Instants
internal import PostgresClient
internal import Rendering
internal import Reports

/// `landfall` alone, and `landfall today`: prints a `TodayPage`.
struct TodayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "today",
        abstract: "Show today at a glance, and what to try next.",
        discussion: """
            Shows what was sent since local midnight, compared with yesterday up to the same time, the last \
            hours, the largest campaigns, rejections by class, and the tokens. With several apps, prints one \
            line for each; --app shows one in full. If nothing is recorded yet, shows what to do first.

              landfall
              landfall today --app shop --tz Europe/Berlin
              landfall --json
            """)

    @OptionGroup(title: "Database")
    var database: DatabaseOptions

    @Option(help: ArgumentHelp("The app. Default: all apps.", valueName: "slug"), completion: .apps)
    var app: String?

    @OptionGroup var timeZone: TimeZoneOption

    @OptionGroup(title: "Output")
    var output: OutputOptions

    /// Receives a word in the place of a command, so that a misspelled command can be reported.
    @Argument(parsing: .allUnrecognized, help: .hidden)
    var words: [String] = []

    func validate() throws {
        if let word = words.first { throw ValidationError(Self.complaint(about: word)) }
    }

    private static func complaint(about word: String) -> String {
        guard !word.hasPrefix("-") else { return "Unknown option '\(printable(word))'." }
        return UnknownCommand(in: [word], of: Landfall.self)?.description
            ?? "'\(printable(word))' is not an option: the command comes first. See landfall --help."
    }

    func run() throws {
        let now = Instant.now
        switch try database.privateCondition() {
        case .absent: return try writeFirstSteps(now)
        case .stopped: note("starting the private database for this run; landfall-server keeps it running")
        case .running, .closed, nil: break
        }
        guard let page = try database.withConnection({ try read($0, now) }) else {
            let place = try database.settings().databaseName
            return try write(
                NextStep.withoutApp, database: "ready", now,
                "There is no app in \(place) yet, so nothing is recorded.")
        }
        try output.write(json: page.document, csv: page.csv, table: { page.lines($0) })
    }

    private func writeFirstSteps(_ now: Instant) throws {
        let place = printable(try database.settings().dataFolder.path)
        try write(
            NextStep.withoutDatabase, database: "absent", now,
            "There is no database yet: --database, LANDFALL_DATABASE_URL and the configuration file name none, and there is none in \(place)."
        )
    }

    private func write(_ steps: [NextStep], database: String, _ now: Instant, _ sentence: String) throws {
        try output.write(
            json: TodayPage.emptyDocument(steps, database: database, asOf: now),
            csv: TodayPage(asOf: now, timeZone: .utc, days: [], health: nil, steps: []).csv,
            table: { folded(sentence, to: $0.width) + [""] + NextStep.lines(steps, $0) })
    }

    /// `nil` if there is no app.
    private func read(_ connection: PostgresConnection, _ now: Instant) throws -> TodayPage? {
        let zone = try timeZone.zone
        let all = try AppDirectory(connection).apps()
        guard !all.isEmpty else { return nil }
        let shown = try asUsage { try app.map { [try App.named($0, among: all)] } ?? all }
        return try WaitingLine.whileWaiting("counting today's notifications and all tokens") {
            let days = try shown.map { try AppToday.run(for: $0, in: zone, on: connection, now: now) }
            let only = days.count == 1 ? days.first : nil
            let health = try only.map { try TokenHealth.run(for: $0.app, on: connection, now: now) }
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
