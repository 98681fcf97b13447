internal import Access
internal import ArgumentParser
internal import Foundation
internal import Instants
internal import Logging
internal import PostgresClient
internal import Reports

/// `landfall watch`: draws a `WatchScreen` repeatedly.
struct WatchCommand: StoppableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Show a live dashboard in the terminal.",
        discussion: """
            Shows items per second, today's funnel compared with yesterday's, the last hours by quarter \
            hour, rejections, the largest campaigns, and the tokens (counted every 30 s). It adapts to the \
            size of the window; q quits. If the database becomes unavailable, the dashboard reports that and \
            continues once the database is back.

              landfall watch --app shop --tz Europe/Berlin
              landfall watch --every 10
            """)

    @OptionGroup var app: AppOptions

    @OptionGroup var timeZone: TimeZoneOption

    @Option(help: ArgumentHelp("The refresh interval in seconds, 1 to 3600.", valueName: "seconds"))
    var every = 2

    @Flag(help: "Draw with plain ASCII.")
    var ascii = false

    func validate() throws {
        guard (1...3_600).contains(every) else { throw ValidationError("--every must be 1 to 3600 seconds.") }
    }

    func work() async throws {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { throw CommandProblem.noTerminal }
        let zone = try timeZone.zone
        try await app.database.withDatabase { database in
            let chosen = try app.chosen(on: database.connect())
            var configuration = database.pool(size: 1)
            configuration.statementTimeout = .seconds(20)
            configuration.limitsWaiting = true
            // The pool's warnings would appear in the middle of the screen; the last line shows the same.
            let pool = PostgresPool(
                configuration, logger: Logger(label: "watch") { _ in SwiftLogNoOpLogHandler() })
            let reader = WatchReader(
                pool: pool, app: chosen, timeZone: zone, pause: .seconds(every), start: .now,
                namesApp: app.app != nil)
            let result: Result<Void, any Error>
            do {
                result = .success(try await Watch(reader: reader, style: .stdout(asksForASCII: ascii)).run())
            } catch {
                result = .failure(error)
            }
            pool.beginToEnd(within: .zero)
            try await pool.close()
            try result.get()
        }
    }
}
