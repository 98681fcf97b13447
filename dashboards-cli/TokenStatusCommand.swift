internal import ArgumentParser
internal import DeliveryModel
internal import Reports

/// `landfall tokens status`: prints `TokenStatusReport`.
struct TokenStatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "How many tokens are in which state.",
        discussion: """
            As of now. The audience are the installations with an active token of a kind that shows notifications, unless \
            their permission is denied; a token that no installation has registered stands for itself.

              landfall tokens status --app shop
            """)

    @OptionGroup
    var app: AppOptions

    @OptionGroup(title: "Output")
    var output: OutputOptions

    func run() throws {
        let now = Instant.now
        let report = try app.withApp { try TokenStatusReport.run(for: $0, on: $1, now: now) }
        try output.write(
            json: report.document, csv: TokenStatusCSV.text(of: report),
            table: { TokenStatusTable(report, $0).lines })
    }
}
