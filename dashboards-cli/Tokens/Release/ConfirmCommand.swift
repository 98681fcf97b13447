internal import ArgumentParser
internal import TokenLifecycle

/// `landfall tokens confirm`: prints the plan; with `--apply`, carries it out.
struct ConfirmCommand: StoppableCommand {
    static let configuration = CommandConfiguration(
        commandName: "confirm",
        abstract: "Retire the tokens that the breaker holds back, because the responses were right.",
        discussion: """
            If provider responses would retire too many tokens at once, the breaker opens: further tokens \
            become suspect and wait for a decision. Confirm them if that many devices really left, as at the \
            first push after a long silence; 'landfall tokens release' makes them active again instead. \
            Either command closes the breaker.

            Without --apply, the command prints a plan and changes nothing. It exits with 4 if a sweep or \
            another decision is in progress. It can be stopped at any time and run again.

              landfall tokens confirm --app shop
              landfall tokens confirm --app shop --environment production --apply
            """)

    @OptionGroup var decision: HeldTokensOptions

    func work() throws { try decision.decide(.confirm) }
}
