internal import ArgumentParser
internal import ChildPrograms
internal import TokenLifecycle

/// `landfall tokens confirm`: prints the plan; with `--apply`, carries it out.
struct ConfirmCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "confirm",
        abstract: "Retires tokens that the breaker holds back: the answers were right.",
        discussion: """
            When provider answers would retire too many tokens at once, the breaker opens: further ones become suspect and \
            wait for a decision. Confirm them when so many really left, as at the first push after a long silence; \
            'landfall tokens release' makes them active again instead. Either closes the breaker.

            Prints what it would do and changes nothing, unless --apply is given. Exit code 4 when a sweep or another \
            decision is under way. It can be stopped at any time and run again.

              landfall tokens confirm --app shop
              landfall tokens confirm --app shop --environment production --apply
            """)

    @OptionGroup var decision: HeldTokensOptions

    func run() async throws {
        let command = self
        try await StopSignals.cancelling { try command.decision.decide(.confirm) }
    }
}
