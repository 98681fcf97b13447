internal import ArgumentParser
internal import DeliveryModel
internal import Foundation
internal import People
internal import PostgresClient
internal import Rendering
internal import Reports
internal import TokenLifecycle

struct SweepCommand: StoppableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweep", abstract: "Mark silent tokens as stale, and retire those that stayed stale.",
        discussion: """
            Without --apply, the command prints a plan and changes nothing. It refuses to run (exit code 3, \
            nothing changed) if too much of the audience would be lost, or if no device was heard from for \
            24 hours: in that case the collection of events is broken, not the tokens. It exits with 4 if \
            another sweep of the app is running. It can be stopped at any time (Ctrl-C or SIGTERM ends it \
            after the current batch) and run again. While other sessions work in the database, it uses \
            smaller batches and rests between them. docs/tokens.md has the crontab line and the systemd \
            units.

              landfall tokens sweep --app shop
              landfall tokens sweep --app shop --apply        (from cron, once a day)
            """)

    @OptionGroup var app: AppOptions

    @Flag(help: "Apply the plan, in batches of 200 tokens, or 50 while other sessions work in the database.")
    var apply = false

    @Option(
        help: .value(
            "Refuse to run if a greater share of the audience would be lost, or of the tokens retired. Default: 0.1 (10 %).",
            "share"))
    var maxShare: Double?

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        if let maxShare, !(0...1).contains(maxShare) {
            throw ValidationError("--max-share must be between 0 and 1, such as 0.1.")
        }
    }

    func work() throws {
        try app.withApp { app, connection in
            // PostgreSQL's clock is used, because a wrong clock here would make every token look silent.
            let now = try connection.clock()
            let sweep = Sweep(appID: app.appID, on: connection)
            var rules = try sweep.rules()
            rules.maxShare = maxShare ?? rules.maxShare
            let past = try PastSweeps(appID: app.appID, now: now, on: connection)
            var report = SweepReport(app: app, rules: rules, past: past, asOf: now)
            if apply {
                try Audit.recordCommand(
                    "tokens_swept", app: app, subject: maxShare.map { "max share \($0)" } ?? "",
                    on: connection)
                try carryOut(sweep, report)
            } else {
                report.plan = try sweep.plan(rules, now: now)
                try show(report)
                if report.plan.tokenCount == 0 {
                    try self.app.database.noteNothing("There is no token of app \(app.slug)")
                }
            }
        }
    }

    private func show(_ report: SweepReport) throws {
        try output.write(json: report.document, csv: report.csv, table: report.lines)
    }

    private func carryOut(_ sweep: Sweep, _ unplanned: SweepReport) throws {
        var report = unplanned
        let line = ProgressLine()
        let clock = ContinuousClock()
        var bar = SweepProgress(total: 0)
        var start = clock.now
        do {
            let result = try sweep.apply(
                report.rules, now: report.asOf, isStopped: { Task.isCancelled },
                planned: { plan in
                    report.plan = plan
                    bar = SweepProgress(total: plan.staleCount + plan.retiredCount + plan.expiredCount)
                    start = clock.now
                },
                progress: { result in
                    let seconds = (clock.now - start) / .seconds(1)
                    let changed = result.staleCount + result.retiredCount + result.expiredCount
                    line.show(bar.text(changed, after: seconds, progressStyle))
                })
            line.clear()
            report.result = result
            try show(report)
        } catch let refusal as SweepRefusal {
            try show(report)
            note("Refused; nothing was changed: \(refusal.explanation)")
            throw ExitCode.refusedForSafety
        }
    }

    /// Progress is drawn on stderr, which may be a terminal even if stdout is not.
    private var progressStyle: OutputStyle {
        OutputStyle(
            environment: ProcessInfo.processInfo.environment, isTerminal: true, terminalWidth: nil,
            asksForASCII: output.ascii)
    }
}

/// The progress of a sweep on one line: a bar, the share, the count, the rate, and the time left.
struct SweepProgress {
    /// Tokens to change when the sweep began; signs of life reduce their number.
    let total: Int64

    private static let barWidth = 24

    func text(_ changed: Int64, after seconds: Double, _ style: OutputStyle) -> String {
        let share = total > 0 ? min(1, Double(changed) / Double(total)) : 1
        let bar = Bar.text(share, width: Self.barWidth, style)
        var facts = ["\(percent(share)) %", "\(grouped(changed)) of \(grouped(total)) tokens"]
        if seconds > 0, changed > 0 {
            let perSecond = Double(changed) / seconds
            facts.append("\(grouped(Int64(perSecond)))/s")
            facts.append("\(Self.clock(Double(max(0, total - changed)) / perSecond)) left")
        }
        return "sweeping  \(style.paint(padded(bar, to: Self.barWidth), .confirmed))  "
            + facts.joined(separator: " \(style.dot) ")
    }

    /// `0:07`, `12:30`, `1:02:03`.
    private static func clock(_ seconds: Double) -> String {
        let whole = Int64(seconds.rounded(.up))
        let (hours, minutes) = (whole / 3_600, whole / 60 % 60)
        let rest = whole % 60 < 10 ? "0\(whole % 60)" : "\(whole % 60)"
        guard hours > 0 else { return "\(minutes):\(rest)" }
        return "\(hours):\(minutes < 10 ? "0" : "")\(minutes):\(rest)"
    }
}
