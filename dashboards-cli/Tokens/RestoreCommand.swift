internal import ArgumentParser
internal import DeliveryModel
internal import People
internal import PostgresClient
internal import Rendering
internal import Reports
internal import TokenLifecycle

struct RestoreCommand: StoppableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Undo what a rule did to tokens since a given time.",
        discussion: """
            Returns tokens to the state they had before the rule took them out of use, as new rows of the \
            ledger: no history is lost. A token is not restored if it has changed again since, if its value \
            was erased, or if its slot has a newer token. From then on, responses to new pushes decide \
            again.

            Without --apply, the command prints a plan and changes nothing. It exits with 4 if a sweep or \
            another decision is in progress. It can be stopped at any time and run again.

              landfall tokens restore --app shop --rule unregistered --since 2026-03-01T09:00:00Z
              landfall tokens restore --app shop --rule stale --since 24h --topic com.example.shop --apply
            """)

    @OptionGroup var app: AppOptions
    @Option(help: .value("The rule to undo: \(ruleNames).", "rule"), transform: readRule) var rule: TokenRule

    @Option(help: .when("Undo what the rule did at or after this instant: \(InstantForms.utc)."))
    var since: String

    @OptionGroup var tokens: TokenFilterOptions
    @Flag(help: "Apply the plan, in batches of 1,000 tokens.") var apply = false
    @OptionGroup(title: "Output") var output: OutputOptions

    private static let ruleNames = Restoration.rules.map(\.rawValue).joined(separator: ", ")

    private static func readRule(_ text: String) throws -> TokenRule {
        guard let rule = TokenRule(rawValue: text), Restoration.rules.contains(rule) else {
            throw ValidationError("'\(text)' is not a rule that can be undone. The rules are \(ruleNames).")
        }
        return rule
    }

    func validate() throws { _ = try instant(since, option: "--since", now: .now) }

    func work() throws {
        let now = Instant.now
        guard let since = try instant(since, option: "--since", now: now) else { return }
        try app.withApp { app, connection in
            let restoration = Restoration(
                appID: app.appID, undoing: rule, since: since, filter: tokens.filter, on: connection)
            let plan = try restoration.plan()
            var report = RestorationReport(app: app.slug, rule: rule, since: since, asOf: now, plan: plan)
            if apply {
                try Audit.recordCommand(
                    "tokens_restored", app: app,
                    subject: "\(rule.rawValue) since \(since.rfc3339), \(tokens.words)",
                    on: connection)
                report.result = try ProgressLine.showing("restore", of: plan.restorable, "tokens") {
                    try restoration.apply(plan, now: now, isStopped: { Task.isCancelled }, progress: $0)
                }
            }
            try output.write(report)
            if plan.groups.isEmpty {
                try self.app.database.noteNothing("Nothing to restore for app \(app.slug)")
            }
        }
    }
}

struct RestorationReport: OperationReport {
    let app: String
    let rule: TokenRule
    let since: Instant
    let asOf: Instant
    let plan: Restoration.Plan
    /// `nil` for a plan.
    var result: TokenRunResult?

    /// `{"report":"tokens_restore",…}`: counts of tokens, instants in UTC; `applied` is null for a plan.
    var document: JSONValue {
        [
            "report": "tokens_restore", "app": .string(app), "as_of": .string(asOf.rfc3339),
            "rule": .string(rule.rawValue), "since": .string(since.rfc3339),
            "groups": .array(plan.groups.map(Self.json)),
            "restores": .integer(plan.restorable),
            "stays": .object(Self.hindrances.map { .init($0.rawValue, .integer(plan.hindered($0))) }),
            "applied": result.map(\.document) ?? .null,
        ]
    }

    private static let hindrances = Restoration.Hindrance.allCases

    private static func json(_ group: Restoration.Group) -> JSONValue {
        [
            "environment": .string(group.environment), "topic": .string(group.topic),
            "restores": .integer(group.restorable),
            "stays": .object(hindrances.map { .init($0.rawValue, .integer(group.hindered[$0, default: 0])) }),
        ]
    }

    var csv: CSVText {
        typealias Column = Listing<Restoration.Group>.Column
        let key: [Column] = [
            .text("environment") { $0.environment }, .text("topic") { $0.topic },
            .count("restores") { $0.restorable },
        ]
        let stays: [Column] = Self.hindrances.map { hindrance in
            .count(hindrance.rawValue) { $0.hindered[hindrance, default: 0] }
        }
        let question: [Column] = [
            .constant("rule", rule.rawValue), .constant("since", since.rfc3339), .constant("app", app),
            .constant("as_of", asOf.rfc3339),
        ]
        return Listing<Restoration.Group>(key + stays + question).csv(plan.groups)
    }

    let title = "Tokens restore"

    var facts: [(String, String)] {
        [
            ("undoes", "\(rule.rawValue), since \(since.utcMinuteWithOffset)"),
            ("counted", "tokens, exact, as of \(asOf.utcMinuteWithOffset)"),
        ]
    }

    func figures(_ style: OutputStyle) -> [String] {
        let found =
            plan.groups.isEmpty
            ? ["  The rule has taken no token out of use since then."] : table(style).lines(style)
        return found + [""] + Remark.lines(remarks, style, nameWidth: 13)
    }

    private func table(_ style: OutputStyle) -> TextTable {
        var table = TextTable([
            .init("Environment", isNumber: false, group: 0),
            .init("Topic", isNumber: false, group: 0, isName: true),
            .init(bar: "of largest", group: 1), .init("Restores", group: 1), .init("Stay", group: 1),
        ])
        let largest = plan.groups.map(\.restorable).max() ?? 0
        table.rows = plan.groups.map { group in
            [
                .init(group.environment), .init(group.topic.isEmpty ? "(unknown)" : group.topic),
                .bar(group.restorable, of: largest, .confirmed, width: 20, style),
                .init(grouped(group.restorable)), .init(grouped(group.hindered.values.reduce(0, +))),
            ]
        }
        return table
    }

    private var remarks: [Remark] {
        [Remark("restores", plan.restorable, "back to the state they had before")]
            + Self.hindrances.map { Remark($0.name, plan.hindered($0), $0.meaning) }
    }

    var verdict: String {
        if let result {
            let stopped = result.wasStopped ? " Stopped between two batches; the next run continues." : ""
            return "Done: \(grouped(result.changedCount)) restored.\(stopped)"
        }
        guard plan.restorable > 0 else { return "Nothing to do." }
        return "This is a plan: nothing was changed. --apply carries it out."
    }
}

extension Restoration.Hindrance {
    fileprivate var name: String {
        switch self {
        case .changedSince: "changed since"
        case .valueErased: "value erased"
        case .slotTaken: "slot taken"
        }
    }

    fileprivate var meaning: String {
        switch self {
        case .changedSince: "stay: another rule, a response or a registration decided later"
        case .valueErased: "stay: no one could send to them"
        case .slotTaken: "stay: the installation has a newer token"
        }
    }
}
