internal import ArgumentParser
internal import Reports

/// `landfall funnel`: prints a `FunnelReport`.
struct FunnelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "funnel",
        abstract: "Report how far notifications got, up to the click.",
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
