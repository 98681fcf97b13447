internal import ArgumentParser
internal import Reports

/// `landfall latency`: prints a `LatencyReport`.
struct LatencyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "latency",
        abstract: "Report how long arrivals and clicks took.",
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
