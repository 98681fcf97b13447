internal import ArgumentParser
internal import DeliveryModel
internal import PostgresClient
internal import Reports

struct ZombiesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "zombies", abstract: "List installations that receive pushes but never react.",
        discussion: """
            A zombie has an active token. Within the window, at least --pushes pushes with mutable-content \
            were accepted for it, the first and the last at least a week apart, and for longer than the \
            window no arrival, presentation, click or check-in came from it. At least --share of the \
            installations with the same platform and app version reported something in that time; if fewer \
            did, it is the extension that is silent, and no installation with that build is called a zombie. \
            A duplicate is a zombie whose account and model also belong to another installation that \
            reports: a phone on which the app was reinstalled counts twice. Nothing is changed; the sweep \
            retires what stays silent.

              landfall tokens zombies --app shop
              landfall tokens zombies --days 14 --pushes 5 --limit 100 --csv
              landfall tokens zombies --html > zombies.html
            """)

    @OptionGroup var app: AppOptions
    @Option(help: "Examine the pushes of this many days, until now.") var days = ZombieRules().days
    @Option(help: "The minimum number of accepted pushes.") var pushes = ZombieRules().pushes

    @Option(help: "The minimum share (0 to 1) of the build's installations that report.")
    var share = ZombieRules().reportingShare

    @Option(help: "List this many installations per build, those with the most pushes.") var limit: Int64 = 10
    @OptionGroup(title: "Output") var output: ReportOutputOptions

    func validate() throws {
        guard (1...400).contains(days) else { throw ValidationError("--days must be between 1 and 400.") }
        guard pushes >= 1 else { throw ValidationError("--pushes must be at least 1.") }
        guard share > 0, share <= 1 else {
            throw ValidationError("--share must be above 0 and at most 1, such as 0.5.")
        }
        guard limit >= 0 else { throw ValidationError("--limit must not be negative.") }
    }

    func run() throws {
        let now = Instant.now
        var rules = ZombieRules()
        rules.days = days
        rules.pushes = pushes
        rules.reportingShare = share
        let report = try app.withApp { [rules] app, connection in
            try WaitingLine.whileWaiting("reading the pushes") {
                try ZombieReport.run(for: app, rules, limit: limit, on: connection, now: now)
            }
        }
        try output.write(report, of: app.database)
    }
}
