internal import ArgumentParser
internal import DeliveryModel
internal import TokenLifecycle

/// The tokens of the app to select.
struct TokenFilterOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Only tokens of this environment: production or sandbox.", valueName: "name"),
        transform: { try word($0, of: "environment") })
    var environment: Environment?

    @Option(
        help: ArgumentHelp(
            "Only tokens of this topic, such as com.example.shop. '' selects tokens whose topic is unknown.",
            valueName: "topic"))
    var topic: String?

    var filter: TokenFilter { TokenFilter(environment: environment, topic: topic) }

    /// The selection, for the audit.
    var words: String {
        let parts = [environment?.rawValue, topic.map { $0.isEmpty ? "without a topic" : $0 }].compactMap(
            \.self)
        return parts.isEmpty ? "all tokens" : parts.joined(separator: ", ")
    }
}
