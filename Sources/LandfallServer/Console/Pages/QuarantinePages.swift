internal import Access
internal import DeliveryModel
internal import Foundation
internal import Hummingbird
internal import Ingestion
internal import Instants
internal import Maintenance
internal import People
internal import PostgresClient
internal import Rendering
internal import Reports
internal import TokenLifecycle
internal import Wording

/// What an app posted and the server rejected: by code, and the newest items. Their texts are not shown, because they may contain
/// tokens.
struct QuarantinePages: Sendable {
    /// Connections for work that takes as long as there are items.
    let pool: PostgresPool
    let recorder: BatchRecorder
    let vault: TokenVault

    func addRoutes(to console: ConsoleRoutes) {
        console.page("apps/:app/quarantine") { try await list($0) }
        console.page("apps/:app/quarantine/replay", as: .operator) { try await planReplay($0) }
        console.post("apps/:app/quarantine/replay", as: .operator) { try await replay($0, $1) }
        console.page("apps/:app/quarantine/drop", as: .operator) { try await planDrop($0) }
        console.post("apps/:app/quarantine/drop", as: .operator) { try await drop($0, $1) }
    }

    private func list(_ visit: Visit) async throws -> ConsolePage {
        let app = try visit.requireApp()
        let (groups, newest) = try await pool.withConnection(attempts: 2) { connection in
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
        let rows = groups.map { group -> Markup in
            let acts = ["replay", "drop"].map { act in
                Markup.element(
                    "a", ["href": "\(path)/\(act)?code=\(group.code.queryEncoded)"], act.capitalized)
            }
            return .row(
                [
                    .element("code", [:], group.code), Markup(grouped(group.items)),
                    Markup(LocalTime(group.newest, utcOffsetMinutes: 0).toTheMinuteWithOffset),
                ], acts: visit.role >= .operator ? acts : [])
        }
        let items = newest.map { item in
            Markup.row([
                Markup(LocalTime(item.receivedAt, utcOffsetMinutes: 0).toTheMinuteWithOffset),
                Markup(item.poster.rawValue), .element("code", [:], item.code), .name(item.detail),
            ])
        }
        let tables: [Markup] = [
            .table(["Code", "Items", "Newest", ""], rows), .element("h2", [:], "The newest items"),
            .table(["Received", "Posted by", "Code", "Reason"], items),
        ]
        return ConsolePage(
            "Quarantine", place: .quarantine, isLive: true,
            visit.outcome + [page.content(and: groups.isEmpty ? [] : tables)])
    }

    private static func items(_ count: Int64) -> String { Words.count(count, "item", "items") }

    private func filter(_ code: String) throws(Problem) -> QuarantineFilter {
        guard let code = ItemRejection.Code(rawValue: code) else {
            throw Problem.invalidParameter("choose the code of the items")
        }
        return QuarantineFilter(codes: [code])
    }

    private func planDrop(_ visit: Visit) async throws -> ConsolePage {
        let app = try visit.requireApp()
        let code = try visit.parameters.one("code") ?? ""
        let filter = try filter(code)
        let path = ConsolePlace.quarantine.path(of: app.slug)
        let items = try await pool.withConnection { connection in
            try QuarantineStock(appID: app.appID, on: connection).groups(filter).reduce(0) { $0 + $1.items }
        }
        return Act(
            title: "Drop rejected items",
            consequences: [
                "\(Self.items(items)) with the code \(code) will be removed permanently, and stay counted as rejected."
            ],
            button: "Drop \(Self.items(items))", path: "\(path)/drop", fields: [("code", code)], back: path
        ).page(.quarantine, visit.session)
    }

    private func drop(_ visit: Visit, _ form: ConsoleForm) async throws -> Response {
        let app = try visit.requireApp()
        let code = try form.field("code")
        let filter = try filter(code)
        let dropped = try await pool.withConnection { connection in
            try visit.record("quarantine_drop", code, on: connection)
            return try QuarantineStock(appID: app.appID, on: connection).drop(filter)
        }
        let path = ConsolePlace.quarantine.path(of: app.slug)
        return .seeOther(visit.done(path, "\(Self.items(dropped)) removed."))
    }

    // MARK: - Replay

    private func replay(_ app: App, on connection: PostgresConnection) throws -> QuarantineReplay {
        QuarantineReplay(
            QuarantineStock(appID: app.appID, on: connection), vault: vault,
            retention: try RetentionSetting.read(on: connection) ?? .standardRetention,
            additionalProviders: app.additionalProviders,
            trust: try AppDirectory(connection).trust(of: app, vault: vault))
    }

    private func planReplay(_ visit: Visit) async throws -> ConsolePage {
        let app = try visit.requireApp()
        let code = try visit.parameters.one("code") ?? ""
        let filter = try filter(code)
        let path = ConsolePlace.quarantine.path(of: app.slug)
        let plan = try await pool.withConnection { connection in
            try replay(app, on: connection).plan(filter, now: visit.now)
        }
        return Act(
            title: "Replay rejected items",
            consequences: [
                "\(Self.items(plan.postable)) with the code \(code) can be recorded now, as if posted again.",
                "\(grouped(plan.rejected)) would be rejected again, and stay in quarantine.",
            ],
            button: "Replay \(Self.items(plan.postable))", path: "\(path)/replay",
            fields: [("code", code)],
            back: path
        ).page(.quarantine, visit.session)
    }

    private func replay(_ visit: Visit, _ form: ConsoleForm) async throws -> Response {
        let app = try visit.requireApp()
        let code = try form.field("code")
        let filter = try filter(code)
        let result = try await pool.withConnection { connection in
            try visit.record("quarantine_replay", code, on: connection)
            return try replay(app, on: connection).apply(filter, now: visit.now) {
                try recorder.write($0, now: visit.now, on: connection)
            }
        }
        let words =
            "\(Self.items(result.accepted)) recorded, \(grouped(result.duplicates)) known before, \(grouped(result.rejected)) still rejected."
        return .seeOther(visit.done(ConsolePlace.quarantine.path(of: app.slug), words))
    }
}
