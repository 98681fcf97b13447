internal import ArgumentParser
internal import Doctor
internal import Rendering
internal import Reports

/// A command with the name of its report in the HTTP interface.
protocol ReportCommand: AsyncParsableCommand { var options: ReportOptions { get } }

extension ReportCommand { func validate() throws { try options.check(Self.configuration.commandName) } }

struct FunnelCommand: ReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "funnel", abstract: "Report how far notifications got, up to the click.",
        discussion: """
            A notification counts in the period in which it was sent, however late its arrival or click. \
            Accepted means that the provider accepted it; confirmed means that it certainly reached a \
            device.

              landfall funnel --from 7d --by day --tz Europe/Berlin
              landfall funnel --campaign spring --by variant
              landfall funnel --from 7d --compare previous
              landfall funnel --from 2026-03-01 --to 2026-04-01 --json
              landfall funnel --by day --html > funnel.html
            """)

    @OptionGroup var options: ReportOptions

    @Flag(
        help:
            "Estimate arrivals in windows of more than 7 days too. This reads the counters of every version and takes longer."
    )
    var estimate = false

    func run() async throws {
        let scope: ArrivalEstimates.Scope = estimate ? .always : .shortWindows
        try await options.write("funnel", flag: estimate ? "estimate" : nil) {
            try FunnelReport.run($0, on: $1, now: $2, estimate: scope)
        }
    }
}

struct ReachCommand: ReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "reach", abstract: "Report how many installations were reached.",
        discussion: """
            Counts distinct installations (the app on a device). An installation that was reached on two \
            days counts once in the totals, so the totals are not the sum of the rows. The audience is \
            always the present one. If notifications of the window have been dropped (retention), the \
            command exits with an error.

            If landfall sketch has been run once, windows of more than three days are estimated from \
            sketches, in a fraction of the time and with a standard error of 0.8 %; such numbers are marked \
            with ≈. Breakdowns and filters by anything other than time, campaign and variant are always \
            exact.

              landfall reach --from 7d --tz Europe/Berlin
              landfall reach --from 2026-03-01 --to 2026-04-01 --by week --csv
              landfall reach --from 90d --by campaign --exact
            """)

    @OptionGroup var options: ReportOptions
    @Flag(help: "Count the notifications instead of using sketches, however long it takes.") var exact = false

    func run() async throws {
        try await options.write("reach", flag: exact ? "exact" : nil) {
            try ReachReport.run($0, on: $1, now: $2, exactly: exact)
        }
    }
}

struct ClicksCommand: ReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "clicks", abstract: "Report clicks, dismissals and click-through.",
        discussion: """
            Click-through is clicked divided by confirmed, the notifications that certainly reached a \
            device. A dismissal is not a click.

              landfall clicks --from 24h --by hour --tz Europe/Berlin
              landfall clicks --from 30d --by campaign,variant --csv
              landfall clicks --by action
              landfall clicks --by campaign,app_state

            By action, category or app_state, clicks that opened the app are told apart from actions \
            that it handled in the background. These are read from the notifications, which takes \
            longer and goes back only as far as they are kept.
            """)

    @OptionGroup var options: ReportOptions

    func run() async throws {
        try await options.write("clicks") {
            if $0.needsClicks { return try ClickKindsReport.run($0, on: $1, now: $2) }
            return try ClicksReport.run($0, on: $1, now: $2)
        }
    }
}

struct LossCommand: ReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "loss", abstract: "Report where notifications were lost, and why.",
        discussion: """
            Covers every step from attempted through accepted and confirmed to clicked. A notification that \
            was accepted but not confirmed counts under the first reason that applies: recalled, \
            not_reportable, not_capable, permission_off, superseded, pending, unexplained. superseded \
            (replaced by a later push with the same collapse id) is determined only with --campaign.

              landfall loss --from 7d --tz Europe/Berlin
              landfall loss --campaign spring --by app_version
              landfall loss --from 2026-03-01 --to 2026-04-01 --by week --json
            """)

    @OptionGroup var options: ReportOptions

    func run() async throws { try await options.write("loss") { try LossReport.run($0, on: $1, now: $2) } }
}

struct RejectionsCommand: ReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "rejections", abstract: "Report why pushes were rejected, and what to do.",
        discussion: """
            Without --by, breaks down by topic, environment and app version, which tell builds and their \
            credentials apart. Of several responses to one push, only the most final one counts, and none if \
            the push was accepted in the end. A share is of all pushes attempted under the same key. \
            --compare combines all responses of a key, and is not available with --csv.

              landfall rejections --from 24h
              landfall rejections --by campaign --environment production
              landfall rejections --from 7d --by day --json
            """)

    @OptionGroup var options: ReportOptions

    func validate() throws {
        try options.check(Self.configuration.commandName)
        guard options.compare == nil || options.output.chosenFormat != .csv else {
            throw ValidationError(
                "--csv has one line per response, and --compare combines all responses of a key: omit one of "
                    + "them. --json has both")
        }
    }

    func run() async throws {
        try await options.write("rejections") { try RejectionsReport.run($0, on: $1, now: $2) }
    }
}

struct LatencyCommand: ReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "latency", abstract: "Report how long arrivals and clicks took.",
        discussion: """
            Prints the times that half, 90 % and 99 % of the notifications took at most (p50, p90, p99, \
            accurate to 4.9 %), and their distribution. Only notifications that arrived at a known time \
            count. Times are by the device's clock, corrected where possible.

              landfall latency --from 7d --by day --tz Europe/Berlin
              landfall latency --campaign spring --by variant
              landfall latency --by os_version --json

            Periods, campaigns and variants are read from counters; everything else is read from the \
            notifications, which takes longer and goes back only as far as they are kept.
            """)

    @OptionGroup var options: ReportOptions

    func run() async throws {
        try await options.write("latency") { try LatencyReport.run($0, on: $1, now: $2) }
    }
}

struct ExtensionCommand: ReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "extension", abstract: "Report which app versions report arrivals.",
        discussion: """
            One line per platform, app version and OS version. A receipt is lost if a \
            notification was seen on the device otherwise, as by a reaction, and its arrival was not reported.

              landfall extension --from 7d
              landfall extension --platform ios --app-version 7.2.0 --json
            """)

    @OptionGroup var options: ReportOptions

    func validate() throws {
        try options.check(nil)
        guard options.by.isEmpty, options.compare == nil else {
            throw ValidationError(
                "This report is always broken down by platform, app_version and os_version: omit --by and "
                    + "--compare. landfall funnel --by day,app_version --compare previous shows versions "
                    + "over time.")
        }
    }

    func run() async throws {
        try await options.write("extension") { try ExtensionReport.run($0, on: $1, now: $2) }
    }
}

struct PermissionsCommand: ReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "permissions",
        abstract: "Report who allows notifications, and who changed that.",
        discussion: """
            Counts installations by the permission that they had at the end of the window, or of each \
            period, and the changes in between: who answered for the first time, who turned notifications \
            off, and on. They can be broken down by hour, day, week, month, and filtered and broken down by \
            platform, app_version, os_version and language.

            By campaign or variant, counts the installations that turned notifications off within 24 hours \
            after the first push to them, compared with how many of the app do on a usual day.

              landfall permissions --by day --tz Europe/Berlin
              landfall permissions --from 30d --by app_version --sort opt_in
              landfall permissions --by campaign --sort opt_out
              landfall permissions --as-of 2026-03-01 --platform ios --json
            """)

    @OptionGroup var options: ReportOptions

    @Option(
        help: .when(
            "Report as if at this instant: 7d counts from it, and nothing later is included. Default: now."))
    var asOf: String?

    func run() async throws {
        try await options.write("permissions", asOf: asOf) {
            if $0.isOfCampaigns { return try OptOutsReport.run($0, on: $1, now: $2) }
            return try PermissionsReport.run($0, on: $1, now: $2, isPast: asOf != nil)
        }
    }
}
