internal import ArgumentParser

/// `landfall explain …`: explains a history or a number.
struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain a token, device, notification or metric.",
        discussion: """
            Everything is listed in time order, with the evidence verbatim and the rule in plain words. \
            Nothing is changed. The value of a token is never printed; the first 12 digits of its \
            fingerprint identify it.
            """,
        subcommands: [
            ExplainTokenCommand.self, ExplainDeviceCommand.self, ExplainNotificationCommand.self,
            ExplainMetricCommand.self,
        ])
}
