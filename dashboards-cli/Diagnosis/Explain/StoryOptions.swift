internal import Access
internal import ArgumentParser
internal import Documents
internal import Instants
internal import PostgresClient
internal import Rendering
internal import Reports

/// The options of every story.
struct StoryOptions: ParsableArguments {
    @OptionGroup(title: "Database")
    var app: AppOptions

    @OptionGroup var timeZone: TimeZoneOption

    @Option(
        help: ArgumentHelp(
            "Search for pushes sent since: 2026-03-01 (a local date), 2026-03-01T09:30:00+01:00, 60d, 24h, today. Searching far back in a large database takes time.",
            valueName: "when"))
    var since = "14d"

    @Option(
        help: ArgumentHelp(
            "Show at most this many ledger rows, and this many pushes, the newest ones.", valueName: "count"))
    var limit: Int64 = 30

    @Flag(help: "Print one JSON document.")
    var json = false

    @Flag(help: "Draw with plain ASCII, the default if the output is not a terminal.")
    var ascii = false

    /// Checks the options before any database is opened.
    func validate() throws {
        _ = try scope(App(appID: 0, slug: ""), now: .now)
    }

    private func scope(_ app: App, now: Instant) throws -> StoryScope {
        let clock = StoryClock(timeZone: try timeZone.zone, now: now)
        guard let pushesSince = WindowBound.instant(since, in: clock.timeZone, now: now) else {
            throw ValidationError(
                "--since is not valid: use 2026-03-01 (a local date), 2026-03-01T09:30:00+01:00, 60d, 24h or today."
            )
        }
        guard (1...10_000).contains(limit) else {
            throw ValidationError("--limit must be between 1 and 10000.")
        }
        return StoryScope(app: app, clock: clock, pushesSince: pushesSince, limit: limit)
    }

    /// Reads a story and writes it to stdout.
    func tell<Story>(
        _ read: (StoryScope, PostgresConnection) throws -> Story, document: (Story) -> JSONValue,
        text: (Story, OutputStyle) -> [String]
    ) throws {
        let now = Instant.now
        let story = try app.withApp { app, connection in try read(try scope(app, now: now), connection) }
        if json {
            try Stdout.write(documents: [document(story).indentedText])
        } else {
            try Stdout.write(lines: text(story, .stdout(asksForASCII: ascii)))
        }
    }
}
