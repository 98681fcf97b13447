internal import Access
internal import DeliveryModel
internal import Hummingbird
internal import Ingestion
internal import Maintenance
internal import People
internal import PostgresClient
internal import Rendering
internal import Reports
internal import TokenLifecycle

/// The breakers of an app that are open, and the decision about the tokens that they hold back.
struct BreakerPages: Sendable {
    func addRoutes(to console: ConsoleRoutes) {
        console.page(inApp: "breakers") { try await list($0, $1) }
        console.page(inApp: "breakers/:decision", as: .operator) { try await plan($0, $1) }
        console.post(inApp: "breakers/:decision", as: .operator) { visit, app, _ in
            try await decide(visit, app)
        }
    }

    private func list(_ visit: Visit, _ app: App) async throws -> ConsolePage {
        let groups = try await visit.patientPool.withConnection {
            try HeldTokens(appID: app.appID, on: $0).groups()
        }
        let path = ConsolePlace.breakers.path(of: app.slug)
        var held = TextTable([
            .init("Environment", isNumber: false, group: 0),
            .init("Topic", isNumber: false, group: 0, isName: true),
            .init("Open since", isNumber: false, group: 1), .init("Tokens held back", group: 1),
        ])
        held.rows = groups.map { group in
            [
                .init(group.environment), .init(group.topic.isEmpty ? "unknown" : group.topic),
                .init(group.openedAt.utcMinuteWithOffset), .init(grouped(group.heldTokens), .trouble),
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
        let groups = try await visit.patientPool.withConnection {
            try HeldTokens(appID: app.appID, on: $0).groups()
        }
        let tokens = Self.tokens(groups.reduce(0) { $0 + $1.heldTokens })
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
        let result = try await visit.patientPool.withConnection { connection in
            try visit.record("breaker_\(decision.rawValue)", "all open breakers", on: connection)
            return try HeldTokens(appID: app.appID, on: connection)
                .decide(decision, TokenFilter(), now: visit.now)
        }
        let words = decision == .release ? "active again" : "retired"
        return visit.done(
            ConsolePlace.breakers.path(of: app.slug), "\(Self.tokens(result.changedCount)) \(words).")
    }
}

/// What an app posted and the server rejected. The texts are not shown, because they may contain tokens.
struct QuarantinePages: Sendable {
    func addRoutes(to console: ConsoleRoutes) {
        console.page(inApp: "quarantine") { try await list($0, $1) }
        console.page(inApp: "quarantine/replay", as: .operator) { try await planReplay($0, $1) }
        console.post(inApp: "quarantine/replay", as: .operator) { try await replay($0, $1, $2) }
        console.page(inApp: "quarantine/drop", as: .operator) { try await planDrop($0, $1) }
        console.post(inApp: "quarantine/drop", as: .operator) { try await drop($0, $1, $2) }
    }

    private func list(_ visit: Visit, _ app: App) async throws -> ConsolePage {
        let (groups, newest) = try await visit.patientPool.withConnection(attempts: 2) { connection in
            let stock = QuarantineStock(appID: app.appID, on: connection)
            return (
                try stock.groups(QuarantineFilter()),
                try stock.newest(QuarantineFilter(), limit: 20, withText: false)
            )
        }
        let total = groups.reduce(0) { $0 + $1.items }
        let headline =
            groups.isEmpty
            ? "Nothing is in quarantine: every item that was posted could be recorded."
            : "\(Self.items(total)) rejected and kept. The code says why."
        let page = HTMLPage(
            title: "Quarantine", subject: app.slug, headline: headline, facts: [], sections: [])
        let path = ConsolePlace.quarantine.path(of: app.slug)
        let byCode = table(["Code", "Items", "Newest"], groups) { group in
            code { group.code }
            grouped(group.items)
            group.newest.utcMinuteWithOffset
        } acts: { group in
            if visit.role >= .operator {
                a(["href": "\(path)/replay?code=\(group.code.queryEncoded)"]) { "Replay" }
                a(["href": "\(path)/drop?code=\(group.code.queryEncoded)"]) { "Drop" }
            }
        }
        let items = table(["Received", "Posted by", "Code", "Reason"], newest) { item in
            item.receivedAt.utcMinuteWithOffset
            item.poster.rawValue
            code { item.code }
            Markup.name(item.detail)
        }
        let tables: [Markup] = groups.isEmpty ? [] : [byCode, h2 { "The newest items" }, items]
        return ConsolePage(title: "Quarantine", place: .quarantine, isLive: true) {
            visit.outcome
            page.content(and: tables)
        }
    }

    private static func items(_ count: Int64) -> String { Words.count(count, "item", "items") }

    private func filter(_ code: String) throws(Problem) -> QuarantineFilter {
        guard let code = ItemRejection.Code(rawValue: code) else {
            throw Problem.invalidParameter("choose the code of the items")
        }
        return QuarantineFilter(codes: [code])
    }

    private func planDrop(_ visit: Visit, _ app: App) async throws -> ConsolePage {
        let code = try visit.parameters.one("code") ?? ""
        let filter = try filter(code)
        let dropped = try await visit.patientPool.withConnection { connection in
            try QuarantineStock(appID: app.appID, on: connection).groups(filter).reduce(0) { $0 + $1.items }
        }
        let path = ConsolePlace.quarantine.path(of: app.slug)
        let items = Self.items(dropped)
        return .asking(
            "Drop rejected items", place: .quarantine, visit,
            consequences: [
                "\(items) with the code \(code) will be removed permanently, and stay counted as rejected."
            ], button: "Drop \(items)", path: "\(path)/drop", back: path
        ) { hidden("code", code) }
    }

    private func drop(_ visit: Visit, _ app: App, _ form: ConsoleForm) async throws -> Response {
        let code = try form.field("code")
        let filter = try filter(code)
        let dropped = try await visit.patientPool.withConnection { connection in
            try visit.record("quarantine_drop", code, on: connection)
            return try QuarantineStock(appID: app.appID, on: connection).drop(filter)
        }
        return visit.done(ConsolePlace.quarantine.path(of: app.slug), "\(Self.items(dropped)) removed.")
    }

    // MARK: - Replay

    private func replay(
        _ visit: Visit, _ app: App, on connection: PostgresConnection
    ) throws -> QuarantineReplay {
        let vault = visit.cell.vault
        // The directory of all cells' apps has no providers.
        let known = try AppDirectory(connection).apps().first { $0.appID == app.appID }
        return QuarantineReplay(
            QuarantineStock(appID: app.appID, on: connection), vault: vault,
            retention: try RetentionSetting.read(on: connection) ?? .standardRetention,
            additionalProviders: known?.additionalProviders ?? [],
            trust: try AppDirectory(connection).trust(of: app, vault: vault))
    }

    private func planReplay(_ visit: Visit, _ app: App) async throws -> ConsolePage {
        let code = try visit.parameters.one("code") ?? ""
        let filter = try filter(code)
        let plan = try await visit.patientPool.withConnection { connection in
            try replay(visit, app, on: connection).plan(filter, now: visit.now)
        }
        let path = ConsolePlace.quarantine.path(of: app.slug)
        let items = Self.items(plan.postable)
        return .asking(
            "Replay rejected items", place: .quarantine, visit,
            consequences: [
                "\(items) with the code \(code) can be recorded now, as if posted again.",
                "\(grouped(plan.rejected)) would be rejected again, and stay in quarantine.",
            ], button: "Replay \(items)", path: "\(path)/replay", back: path
        ) { hidden("code", code) }
    }

    private func replay(_ visit: Visit, _ app: App, _ form: ConsoleForm) async throws -> Response {
        let code = try form.field("code")
        let filter = try filter(code)
        let result = try await visit.patientPool.withConnection { connection in
            try visit.record("quarantine_replay", code, on: connection)
            return try replay(visit, app, on: connection).apply(filter, now: visit.now) {
                try visit.cell.recorder.write($0, now: visit.now, on: connection)
            }
        }
        return visit.done(
            ConsolePlace.quarantine.path(of: app.slug),
            "\(Self.items(result.accepted)) recorded, \(grouped(result.duplicates)) known before, \(grouped(result.rejected)) still rejected."
        )
    }
}
