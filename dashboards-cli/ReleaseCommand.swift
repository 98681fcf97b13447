internal import ArgumentParser
internal import ChildPrograms
internal import TokenLifecycle

/// `landfall tokens release`: prints the plan; with `--apply`, carries it out.
struct ReleaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: "Makes tokens that the breaker holds back active again: the answers were wrong.",
        discussion: """
            When provider answers would retire too many tokens at once, the breaker opens: further ones become suspect and \
            wait for a decision. Release them when somebody slipped (a wrong certificate, a wrong host, a provider's own \
            error); 'landfall tokens confirm' retires them instead. Either closes the breaker.

            Prints what it would do and changes nothing, unless --apply is given. Exit code 4 when a sweep or another \
            decision is under way. It can be stopped at any time and run again.

              landfall tokens release --app shop
              landfall tokens release --app shop --topic com.example.shop --apply
            """)

    @OptionGroup var decision: HeldTokensOptions

    func run() async throws {
        let command = self
        try await StopSignals.cancelling { try command.decision.decide(.release) }
    }
}
