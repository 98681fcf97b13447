internal import ArgumentParser

struct TokensCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokens", abstract: "Manage device tokens, and report on their states.",
        subcommands: [
            TokenStatusCommand.self, WaterfallCommand.self, ZombiesCommand.self, SweepCommand.self,
            DeathsCommand.self, ReleaseCommand.self, ConfirmCommand.self, RestoreCommand.self,
            TokenImportCommand.self, ResealCommand.self,
        ]
    )
}
