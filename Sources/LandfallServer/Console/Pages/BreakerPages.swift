internal import Access
internal import DeliveryModel
internal import Hummingbird
internal import People
internal import PostgresClient
internal import Rendering
internal import Reports
internal import TokenLifecycle
internal import Wording

/// The breakers of an app that are open, and the decision about the tokens that they hold back.
struct BreakerPages: Sendable {
    /// Connections for work that takes as long as there are tokens.
    let pool: PostgresPool

    func addRoutes(to console: ConsoleRoutes) {
        console.page(inApp: "breakers") { try await list($0, $1) }
        console.page(inApp: "breakers/:decision", as: .operator) { try await plan($0, $1) }
        console.post(inApp: "breakers/:decision", as: .operator) { visit, app, _ in
            try await decide(visit, app)
        }
    }

    private func list(_ visit: Visit, _ app: App) async throws -> ConsolePage {
        let groups = try await pool.withConnection { try HeldTokens(appID: app.appID, on: $0).groups() }
        let path = ConsolePlace.breakers.path(of: app.slug)
        var held = TextTable([
            .init("Environment", isNumber: false, group: 0),
            .init("Topic", isNumber: false, group: 0, isName: true),
            .init("Open since", isNumber: false, group: 1), .init("Tokens held back", group: 1),
        ])
        held.rows = groups.map { group in
            [
                .init(group.environment), .init(group.topic.isEmpty ? "unknown" : group.topic),
                .init(group.openedAt.utcMinuteWithOffset), .init(grouped(group.tokenCount), .trouble),
            ]
        }
        let headline =
            groups.isEmpty
            ? "No breaker is open: responses retire tokens as they come."
            : "Responses would have retired too many tokens at once. The tokens below wait for a decision."
        let page = HTMLPage(
            title: "Breakers", subject: app.slug, headline: headline, facts: [],
            sections: groups.isEmpty ? [] : [.table(PageTable(held, caption: "Tokens held back"))])
        let decision = p(class: "decision") {
            a(class: "button", ["href": "\(path)/release"]) { "Release: the responses were wrong" }
            a(class: "button", ["href": "\(path)/confirm"]) { "Confirm: the devices are gone" }
        }
        return ConsolePage(title: "Breakers", place: .breakers, isLive: true) {
            visit.outcome
            page.content(and: groups.isEmpty || visit.role < .operator ? [] : [decision])
        }
    }

    private static func tokens(_ count: Int64) -> String { Words.count(count, "token", "tokens") }

    private func decision(_ visit: Visit) throws(Problem) -> HeldTokens.Decision {
        try visit.segment("decision", HeldTokens.Decision.init(rawValue:))
    }

    private func plan(_ visit: Visit, _ app: App) async throws -> ConsolePage {
        let decision = try decision(visit)
        let groups = try await pool.withConnection { try HeldTokens(appID: app.appID, on: $0).groups() }
        let tokens = Self.tokens(groups.reduce(0) { $0 + $1.tokenCount })
        let path = ConsolePlace.breakers.path(of: app.slug)
        let consequence =
            decision == .release
            ? "They will be active again, and senders may push to them."
            : "They will retire. A device that is still there gets pushes again once its app registers."
        return .asking(
            decision == .release ? "Release tokens" : "Confirm that devices are gone",
            place: .breakers, visit,
            consequences: [
                "The breakers hold back \(tokens). \(consequence)",
                "The breakers close: from then on, responses retire tokens again.",
            ],
            button: decision == .release ? "Release \(tokens)" : "Retire \(tokens)",
            path: "\(path)/\(decision.rawValue)", back: path)
    }

    private func decide(_ visit: Visit, _ app: App) async throws -> Response {
        let decision = try decision(visit)
        let result = try await pool.withConnection { connection in
            try visit.record("breaker_\(decision.rawValue)", "all open breakers", on: connection)
            return try HeldTokens(appID: app.appID, on: connection)
                .decide(decision, TokenFilter(), now: visit.now)
        }
        let words = decision == .release ? "active again" : "retired"
        return visit.done(
            ConsolePlace.breakers.path(of: app.slug), "\(Self.tokens(result.changedCount)) \(words).")
    }
}
