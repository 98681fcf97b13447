internal import ArgumentParser

/// `landfall tokens …`: the life of device tokens.
struct TokensCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokens",
        abstract: "Device tokens: their states and what becomes of them.",
        subcommands: [
            TokenStatusCommand.self, WaterfallCommand.self, ZombiesCommand.self, SweepCommand.self,
            DeathsCommand.self, ReleaseCommand.self, ConfirmCommand.self, RestoreCommand.self,
            TokenImportCommand.self, ResealCommand.self,
        ]
    )
}
