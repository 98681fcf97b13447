internal import ArgumentParser
internal import Reports

/// `landfall extension`: prints an `ExtensionReport`.
struct ExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extension",
        abstract: "Report which app versions report arrivals.",
        discussion: """
            One line per platform, app version and OS version. A receipt is lost if a \
            notification was seen on the device otherwise, as by a reaction, and its arrival was not reported.

              landfall extension --from 7d
              landfall extension --platform ios --app-version 7.2.0 --json
            """)

    @OptionGroup var options: ReportOptions

    func validate() throws {
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
