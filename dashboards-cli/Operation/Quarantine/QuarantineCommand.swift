internal import ArgumentParser

/// `landfall quarantine …`: manages rejected items.
struct QuarantineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quarantine",
        abstract: "List, replay and drop rejected items.",
        discussion: """
            Every rejected item is kept, sealed, with the reason: per app, up to 50,000 items and 128 MiB of \
            what servers posted, and as much of what devices posted. Beyond that, the oldest of the same \
            share are removed.
            """,
        subcommands: [
            QuarantineListCommand.self, QuarantineReplayCommand.self, QuarantineDropCommand.self,
        ])
}
