internal import ArgumentParser

/// `landfall quarantine …`: manages rejected items.
struct QuarantineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quarantine",
        abstract: "List, replay and drop rejected items.",
        discussion: """
            Every rejected item is kept, sealed, with the reason: up to 100,000 items and 256 MiB per app. \
            Beyond that, the oldest are removed.
            """,
        subcommands: [
            QuarantineListCommand.self, QuarantineReplayCommand.self, QuarantineDropCommand.self,
        ])
}
