internal import ArgumentParser

/// `landfall explain …`: why something is as it is.
struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "The whole story of a token, a device or a notification; and what a number means.",
        discussion: """
            Everything stands in time order, with the evidence word for word and the rule in plain words. Nothing is \
            changed. The value of a token is never printed: the first 12 digits of its fingerprint stand for it.
            """,
        subcommands: [
            ExplainTokenCommand.self, ExplainDeviceCommand.self, ExplainNotificationCommand.self,
            ExplainMetricCommand.self,
        ])
}
