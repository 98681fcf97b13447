internal import Access
internal import Hummingbird
internal import Ingestion
internal import People
internal import PostgresClient
internal import Rendering
internal import Reports
internal import Wording

/// What an app posted and the server rejected: by code, and the newest items. Their texts are not shown, because they may contain
/// tokens.
struct QuarantinePages: Sendable {
    /// For work that takes as long as there are items.
    let pool: PostgresPool

    func addRoutes(to console: ConsoleRoutes) {
        console.page("apps/:app/quarantine") { try await list($0) }
        console.page("apps/:app/quarantine/drop", as: .operator) { try await plan($0) }
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
            : "\(grouped(total)) items were rejected and are kept. The code says why."
        let page = HTMLPage(
            title: "Quarantine", subject: app.slug, headline: headline, facts: [],
            sections: groups.isEmpty ? [] : [.table(PageTable(Self.table(newest), caption: "The newest items"))])
        let path = ConsolePlace.quarantine.path(of: app.slug)
        let rows = groups.map { group -> Markup in
            let acts = [
                Markup.element("a", ["href": "\(path)/drop?code=\(group.code.queryEncoded)"], "Drop")
            ]
            return .element(
                "tr", [:],
                [
                    .element("th", ["scope": "row"], [.element("code", [:], group.code)]),
                    .element("td", ["class": "number"], grouped(group.items)),
                    .element(
                        "td", [:], LocalTime(group.newest, utcOffsetMinutes: 0).toTheMinuteWithOffset),
                    .element("td", ["class": "acts"], visit.role >= .operator ? acts : []),
                ])
        }
        let byCode = groups.isEmpty ? [] : [Markup.table(["Code", "Items", "Newest", ""], rows)]
        return ConsolePage(
            "Quarantine", place: .quarantine, isLive: true,
            visit.outcome + [page.content()] + byCode + (groups.isEmpty ? [] : [Self.replay(app)]))
    }

    /// A replay takes as long as there are items, and shows its progress in a terminal.
    private static func replay(_ app: App) -> Markup {
        .element(
            "p", ["class": "note"],
            [
                Markup("Once the reason is gone, the items can be recorded after all: "),
                .element(
                    "code", [:], "landfall quarantine replay --app \(shellWord(app.slug)) --code CODE --apply"),
            ])
    }

    private static func table(_ items: [QuarantinedItem]) -> TextTable {
        var table = TextTable([
            .init("Received", isNumber: false, group: 0), .init("Posted by", isNumber: false, group: 1),
            .init("Code", isNumber: false, group: 1), .init("Reason", isNumber: false, group: 1),
        ])
        table.rows = items.map { item in
            [
                .init(LocalTime(item.receivedAt, utcOffsetMinutes: 0).toTheMinuteWithOffset),
                .init(item.poster.rawValue), .init(item.code), .init(item.detail),
            ]
        }
        return table
    }

    private func filter(_ code: String) throws(Problem) -> QuarantineFilter {
        guard let code = ItemRejection.Code(rawValue: code) else {
            throw Problem.invalidParameter("choose the code of the items")
        }
        return QuarantineFilter(codes: [code])
    }

    private func plan(_ visit: Visit) async throws -> ConsolePage {
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
                "\(grouped(items)) items with the code \(code) are removed permanently. They stay counted as rejected."
            ],
            button: "Drop \(grouped(items)) items", path: "\(path)/drop", fields: [("code", code)], back: path
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
        return .seeOther(visit.done(path, "\(grouped(dropped)) items are removed."))
    }
}
