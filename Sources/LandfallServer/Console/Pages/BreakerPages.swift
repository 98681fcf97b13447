internal import Access
internal import DeliveryModel
internal import Hummingbird
internal import Instants
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
        console.page("apps/:app/breakers") { try await list($0) }
        console.page("apps/:app/breakers/:decision", as: .operator) { try await plan($0) }
        console.post("apps/:app/breakers/:decision", as: .operator) { try await decide($0, $1) }
    }

    private func list(_ visit: Visit) async throws -> ConsolePage {
        let app = try visit.requireApp()
        let groups = try await pool.withConnection { try HeldTokens(appID: app.appID, on: $0).groups() }
        let path = ConsolePlace.breakers.path(of: app.slug)
        let sentence =
            groups.isEmpty
            ? "No breaker is open: responses retire tokens as they come."
            : "Responses would have retired too many tokens at once. The tokens below wait for a decision."
        var table = TextTable([
            .init("Environment", isNumber: false, group: 0),
            .init("Topic", isNumber: false, group: 0, isName: true),
            .init("Open since", isNumber: false, group: 1), .init("Tokens held back", group: 1),
        ])
        table.rows = groups.map { group in
            [
                .init(group.environment), .init(group.topic.isEmpty ? "unknown" : group.topic),
                .init(LocalTime(group.openedAt, utcOffsetMinutes: 0).toTheMinuteWithOffset),
                .init(grouped(group.heldTokens), .trouble),
            ]
        }
        let acts: [Markup] =
            groups.isEmpty || visit.role < .operator
            ? []
            : [
                .element(
                    "p", ["class": "decision"],
                    [
                        .element(
                            "a", ["class": "button", "href": "\(path)/release"],
                            "Release: the responses were wrong"),
                        .element(
                            "a", ["class": "button", "href": "\(path)/confirm"],
                            "Confirm: the devices are gone"),
                    ])
            ]
        let page = HTMLPage(
            title: "Breakers", subject: app.slug, headline: sentence, facts: [],
            sections: groups.isEmpty ? [] : [.table(PageTable(table, caption: "Tokens held back"))])
        return ConsolePage(
            "Breakers", place: .breakers, isLive: true, visit.outcome + [page.content(and: acts)])
    }

    private static func tokens(_ count: Int64) -> String { Words.count(count, "token", "tokens") }

    private func decision(_ visit: Visit) throws(Problem) -> HeldTokens.Decision {
        try visit.segment("decision", HeldTokens.Decision.init(rawValue:))
    }

    private func plan(_ visit: Visit) async throws -> ConsolePage {
        let (app, decision) = (try visit.requireApp(), try decision(visit))
        let groups = try await pool.withConnection { try HeldTokens(appID: app.appID, on: $0).groups() }
        let tokens = Self.tokens(groups.reduce(0) { $0 + $1.heldTokens })
        let path = ConsolePlace.breakers.path(of: app.slug)
        let consequence =
            decision == .release
            ? "The breakers hold back \(tokens). They will be active again, and senders may push to them."
            : "The breakers hold back \(tokens). They will retire. A device that is still there gets pushes again once its app registers."
        return Act(
            title: decision == .release ? "Release tokens" : "Confirm that devices are gone",
            consequences: [consequence, "The breakers close: from then on, responses retire tokens again."],
            button: decision == .release ? "Release \(tokens)" : "Retire \(tokens)",
            path: "\(path)/\(decision.rawValue)", back: path
        ).page(.breakers, visit.session)
    }

    private func decide(_ visit: Visit, _ form: ConsoleForm) async throws -> Response {
        let (app, decision) = (try visit.requireApp(), try decision(visit))
        let path = ConsolePlace.breakers.path(of: app.slug)
        let result = try await pool.withConnection { connection in
            try visit.record("breaker_\(decision.rawValue)", "all open breakers", on: connection)
            return try HeldTokens(appID: app.appID, on: connection)
                .decide(decision, TokenFilter(), now: visit.now)
        }
        let words = decision == .release ? "active again" : "retired"
        return .seeOther(visit.done(path, "\(Self.tokens(result.changedCount)) \(words)."))
    }
}
