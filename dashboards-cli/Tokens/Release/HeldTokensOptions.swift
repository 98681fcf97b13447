internal import Access
internal import ArgumentParser
internal import Instants
internal import People
internal import PostgresClient
internal import Rendering
internal import TokenLifecycle

/// The options of `release` and `confirm`.
struct HeldTokensOptions: ParsableArguments {
    @OptionGroup var app: AppOptions

    @OptionGroup var tokens: TokenFilterOptions

    @Flag(help: "Apply the plan, in batches of 1,000 tokens.")
    var apply = false

    @OptionGroup(title: "Output")
    var output: OutputOptions

    func decide(_ decision: HeldTokens.Decision) throws {
        let now = Instant.now
        try app.withApp { app, connection in
            let held = HeldTokens(appID: app.appID, on: connection)
            var report = HeldTokensReport(
                app: app.slug, decision: decision, asOf: now, groups: try held.groups(tokens.filter))
            if apply {
                try Audit.recordCommand(
                    "breaker_\(decision.rawValue)", app: app, subject: tokens.words, on: connection)
                report.result = try carryingOut(report.tokenCount, decision.rawValue) {
                    try held.decide(
                        decision, tokens.filter, now: now, isStopped: { Task.isCancelled }, progress: $0)
                }
            }
            try output.write(json: report.document, csv: report.csv, table: { report.lines($0) })
            if report.groups.isEmpty {
                try self.app.database.noteNothing("No token of app \(app.slug) is held back")
            }
        }
    }
}

/// Shows the progress of a run.
func carryingOut(
    _ total: Int64, _ action: String, _ run: ((Int64) -> Void) throws -> TokenRunResult
) throws -> TokenRunResult {
    let line = ProgressLine()
    defer { line.clear() }
    return try run { line.show("\(action)  \(grouped($0)) of \(grouped(total)) tokens") }
}
