internal import ArgumentParser

/// `landfall quarantine …`: what was rejected.
struct QuarantineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quarantine",
        abstract: "Rejected items: what they are, posting them again, dropping them.",
        discussion: """
            Every item that was posted and rejected is kept, sealed, with the reason: 100,000 items and 256 MiB per app, \
            beyond which the oldest go.
            """,
        subcommands: [
            QuarantineListCommand.self, QuarantineReplayCommand.self, QuarantineDropCommand.self,
        ])
}
