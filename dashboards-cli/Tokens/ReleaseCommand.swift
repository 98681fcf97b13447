internal import ArgumentParser
internal import DeliveryModel
internal import People
internal import PostgresClient
internal import Rendering
internal import Reports
internal import TokenLifecycle

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

/// The options of `release` and `confirm`.
struct HeldTokensOptions: ParsableArguments {
    @OptionGroup var app: AppOptions
    @OptionGroup var tokens: TokenFilterOptions
    @Flag(help: "Apply the plan, in batches of 1,000 tokens.") var apply = false
    @OptionGroup(title: "Output") var output: OutputOptions

    func decide(_ decision: HeldTokens.Decision) throws {
        let now = Instant.now
        try app.withApp { app, connection in
            let held = HeldTokens(appID: app.appID, on: connection)
            var report = HeldTokensReport(
                app: app.slug, decision: decision, asOf: now, groups: try held.groups(tokens.filter))
            if apply {
                try Audit.recordCommand(
                    "breaker_\(decision.rawValue)", app: app, subject: tokens.words, on: connection)
                report.result = try ProgressLine.showing(
                    decision.rawValue, of: report.tokenCount, "tokens"
                ) {
                    try held.decide(
                        decision, tokens.filter, now: now, isStopped: { Task.isCancelled }, progress: $0)
                }
            }
            try output.write(report)
            if report.groups.isEmpty {
                try self.app.database.noteNothing("No token of app \(app.slug) is held back")
            }
        }
    }
}

struct TokenFilterOptions: ParsableArguments {
    @Option(
        help: .value("Only tokens of this environment: production or sandbox.", "name"),
        transform: { try word($0, of: "environment") })
    var environment: DeliveryModel.Environment?

    @Option(
        help: .value(
            "Only tokens of this topic, such as com.example.shop. '' selects tokens whose topic is unknown.",
            "topic"))
    var topic: String?

    var filter: TokenFilter { TokenFilter(environment: environment, topic: topic) }

    /// The selection, for the audit.
    var words: String {
        let parts = [environment?.rawValue, topic.map { $0.isEmpty ? "without a topic" : $0 }].compactMap(
            \.self)
        return parts.isEmpty ? "all tokens" : parts.joined(separator: ", ")
    }
}

struct HeldTokensReport: OperationReport {
    let app: String
    let decision: HeldTokens.Decision
    let asOf: Instant
    let groups: [HeldTokens.Group]
    /// `nil` for a plan.
    var result: TokenRunResult?

    var tokenCount: Int64 { groups.reduce(0) { $0 + $1.heldTokens } }

    /// `{"report":"tokens_release",…}`: counts of tokens, instants in UTC; `applied` is null for a plan.
    var document: JSONValue {
        [
            "report": .string("tokens_\(decision.rawValue)"), "app": .string(app),
            "as_of": .string(asOf.rfc3339),
            "breakers": breakers.json(groups), "tokens": .integer(tokenCount),
            "applied": result.map(\.document) ?? .null,
        ]
    }

    var csv: CSVText { breakers.csv(groups) }

    private var breakers: Listing<HeldTokens.Group> {
        Listing(
            .text("environment", "Environment", group: 0) { $0.environment },
            .text(
                "topic", "Topic", group: 0, isName: true,
                shown: { group, _ in group.topic.isEmpty ? "(unknown)" : group.topic }
            ) { $0.topic },
            .text(
                "opened_at", "Breaker open since", shown: { group, _ in group.openedAt.utcMinuteWithOffset }
            ) { $0.openedAt.rfc3339 },
            .count("tokens", "Tokens held back", ink: .trouble) { $0.heldTokens },
            .constant("app", app), .constant("as_of", asOf.rfc3339))
    }

    var title: String { "Tokens \(decision.rawValue)" }

    var facts: [(String, String)] { [("counted", "tokens, exact, as of \(asOf.utcMinuteWithOffset)")] }

    func figures(_ style: OutputStyle) -> [String] {
        var table = breakers.table(groups, style)
        if groups.count > 1 { table.totals = [.init("Total", .title), "", "", .init(grouped(tokenCount))] }
        return groups.isEmpty ? ["  The breaker is closed: it holds back no tokens."] : table.lines(style)
    }

    var verdict: String {
        let becomes = decision == .release ? "active again" : "retired"
        if let result {
            let stopped = " Stopped between two batches; the breaker is still open. The next run continues."
            return "Done: \(grouped(result.changedCount)) are \(becomes)."
                + (result.wasStopped ? stopped : "")
        }
        guard !groups.isEmpty else { return "Nothing to do." }
        return
            "This is a plan: nothing was changed. With --apply, these \(grouped(tokenCount)) tokens become "
            + "\(becomes) and the breaker is closed."
    }
}

extension TokenRunResult {
    var document: JSONValue { ["changed": .integer(changedCount), "was_stopped": .bool(wasStopped)] }
}
