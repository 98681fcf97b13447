internal import ArgumentParser

struct KitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kit",
        abstract: "Check an app that contains the device kit.",
        discussion: """
            Example:
              landfall kit check Shop.ipa
            """,
        subcommands: [KitCheckCommand.self])
}
