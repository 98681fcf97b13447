internal import ArgumentParser
internal import TokenLifecycle

/// `landfall tokens release`: prints the plan; with `--apply`, carries it out.
struct ReleaseCommand: StoppableCommand {
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract:
            "Make the tokens that the breaker holds back active again, because the responses were wrong.",
        discussion: """
            If provider responses would retire too many tokens at once, the breaker opens: further tokens \
            become suspect and wait for a decision. Release them if the responses were a mistake (a wrong \
            certificate, a wrong host, an error of the provider); 'landfall tokens confirm' retires them \
            instead. Either command closes the breaker.

            Without --apply, the command prints a plan and changes nothing. It exits with 4 if a sweep or \
            another decision is in progress. It can be stopped at any time and run again.

              landfall tokens release --app shop
              landfall tokens release --app shop --topic com.example.shop --apply
            """)

    @OptionGroup var decision: HeldTokensOptions

    func work() throws { try decision.decide(.release) }
}
