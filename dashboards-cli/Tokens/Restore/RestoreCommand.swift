internal import Access
internal import ArgumentParser
internal import DeliveryModel
internal import Instants
internal import People
internal import PostgresClient
internal import TokenLifecycle

/// `landfall tokens restore`: prints the plan; with `--apply`, carries it out.
struct RestoreCommand: StoppableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Undo what a rule did to tokens since a given time.",
        discussion: """
            Returns tokens to the state they had before the rule took them out of use, as new rows of the \
            ledger: no history is lost. A token is not restored if it has changed again since, if its value \
            was erased, or if its slot has a newer token. From then on, responses to new pushes decide \
            again.

            Without --apply, the command prints a plan and changes nothing. It exits with 4 if a sweep or \
            another decision is in progress. It can be stopped at any time and run again.

              landfall tokens restore --app shop --rule unregistered --since 2026-03-01T09:00:00Z
              landfall tokens restore --app shop --rule stale --since 24h --topic com.example.shop --apply
            """)

    @OptionGroup var app: AppOptions

    @Option(
        help: ArgumentHelp("The rule to undo: \(ruleNames).", valueName: "rule"), transform: readRule)
    var rule: TokenRule

    @Option(
        help: ArgumentHelp(
            "Undo what the rule did at or after this instant: 2026-03-01 (UTC), an RFC 3339 instant, 7d, 24h, today.",
            valueName: "when"))
    var since: String

    @OptionGroup var tokens: TokenFilterOptions

    @Flag(help: "Apply the plan, in batches of 1,000 tokens.")
    var apply = false

    @OptionGroup(title: "Output")
    var output: OutputOptions

    private static let ruleNames = Restoration.rules.map(\.rawValue).joined(separator: ", ")

    private static func readRule(_ text: String) throws -> TokenRule {
        guard let rule = TokenRule(rawValue: text), Restoration.rules.contains(rule) else {
            throw ValidationError("'\(text)' is not a rule that can be undone. The rules are \(ruleNames).")
        }
        return rule
    }

    func validate() throws {
        _ = try instant(since, option: "--since", now: .now)
    }

    func work() throws {
        let now = Instant.now
        guard let since = try instant(since, option: "--since", now: now) else { return }
        try app.withApp { app, connection in
            let restoration = Restoration(
                appID: app.appID, undoing: rule, since: since, filter: tokens.filter, on: connection)
            let plan = try restoration.plan()
            var report = RestorationReport(app: app.slug, rule: rule, since: since, asOf: now, plan: plan)
            if apply {
                try Audit.recordCommand(
                    "tokens_restored", app: app,
                    subject: "\(rule.rawValue) since \(since.rfc3339), \(tokens.words)",
                    on: connection)
                report.result = try carryingOut(plan.restorable, "restore") {
                    try restoration.apply(plan, now: now, isStopped: { Task.isCancelled }, progress: $0)
                }
            }
            try output.write(json: report.document, csv: report.csv, table: { report.lines($0) })
            if plan.groups.isEmpty {
                try self.app.database.noteNothing("Nothing to restore for app \(app.slug)")
            }
        }
    }
}
