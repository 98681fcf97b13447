internal import DeliveryModel
internal import Hummingbird
internal import Ingestion
internal import Maintenance
internal import People
internal import PostgresClient
internal import Rendering
internal import Reports

/// What was done, and how the server is: for admins of all apps.
struct SettingsPages: Sendable {
    static func links(for visit: Visit) -> [(path: String, title: String)] {
        let all = [
            ("/settings/people", "People"), ("/settings/keys", "Keys"), ("/settings/health", "Health"),
            ("/settings/retention", "Retention"), ("/settings/audit", "Audit"),
        ]
        guard visit.person.grants.everywhere != .admin else { return all }
        return visit.administersApps ? [("/settings/keys", "Keys")] : []
    }

    let desk: ReportDesk
    let parts: RecentParts

    func addRoutes(to console: ConsoleRoutes) {
        console.page("settings/health", as: .admin) { try await health($0) }
        console.page("settings/retention", as: .admin) { try await retention($0) }
        console.page("settings/audit", as: .admin) { try await audit($0) }
    }

    private func health(_ visit: Visit) async throws -> ConsolePage {
        let cell = try cell(of: visit)
        let apps = visit.apps.filter { $0.cell == cell }
        let report = try await parts.examination(of: apps, in: cell, now: visit.now)
        return ConsolePage(title: "Health", counting: report.counting) {
            links(to: "health", from: cell)
            report.content("Health") { $0.htmlPage.content() }
        }
    }

    private func retention(_ visit: Visit) async throws -> ConsolePage {
        let cell = try cell(of: visit)
        let page = try await desk.read(in: cell) { try HTMLPage.retention(on: $0).content() }
        return ConsolePage(title: "Retention") {
            links(to: "retention", from: cell)
            page
        }
    }

    /// The cell that the address names: `?cell=3`; without it, cell 0.
    private func cell(of visit: Visit) throws -> CellNumber {
        guard let name = try visit.parameters.one("cell") else { return .front }
        guard let number = Int(name).flatMap({ CellNumber($0) }), desk.cells.numbers.contains(number) else {
            throw Problem.notFound("this server has no cell '\(name)'")
        }
        return number
    }

    /// Links to the page of each cell, if there are several.
    @MarkupBuilder
    private func links(to page: String, from current: CellNumber) -> [Markup] {
        if !desk.cells.others.isEmpty {
            Tag("ul")(class: "chips", ["aria-label": "Cells"]) {
                for cell in desk.cells.numbers {
                    let target = "/settings/\(page)?cell=\(cell)"
                    li {
                        a(cell == current ? ["href": target, "aria-current": "page"] : ["href": target]) {
                            "Cell \(cell)"
                        }
                    }
                }
            }
        }
    }

    private func audit(_ visit: Visit) async throws -> ConsolePage {
        let before = AuditPlace(try visit.parameters.one("before") ?? "")
        let read = try await desk.cells.each { cell in
            try await cell.pool.withConnection(attempts: 2) {
                try Audit.list(before: before.ids[cell.number], limit: 100, on: $0)
            }
        }
        let (entries, place) = before.newest(100, of: read)
        return ConsolePage(title: "Audit") {
            h1 { "Audit" }
            p(class: "caption") {
                "What people did here and on the command line, newest first; kept for 400 days."
            }
            table(["When", "Who", "Act", "App", "About", "From"], entries) { entry in
                entry.at.utcMinuteWithOffset
                Markup.name(entry.name)
                entry.act.replacing("_", with: " ")
                Markup.name(entry.app ?? "")
                Markup.name(entry.subject)
                entry.address
            }
            desk.cells.note(without: read.keys)
            if entries.count == 100 {
                p { a(["href": "/settings/audit?before=\(place.text)"]) { "Older" } }
            }
        }
    }
}

/// The end of a page of the audit: the last entry of each cell that was shown. Each cell records what was
/// done in its apps, by its own clock.
struct AuditPlace: Equatable {
    private(set) var ids: [CellNumber: Int64] = [:]

    /// Reads `17,3:824633720833`: entry 17 of cell 0, and another of cell 3.
    init(_ text: String) {
        for part in text.split(separator: ",") {
            let numbers = part.split(separator: ":").map { Int64($0) }
            guard let id = numbers.last ?? nil else { continue }
            let cell: CellNumber? =
                numbers.count == 1 ? CellNumber.front : numbers[0].flatMap { CellNumber(Int($0)) }
            if let cell { ids[cell] = id }
        }
    }

    var text: String {
        ids.sorted { $0.key < $1.key }.map { $0.key == .front ? "\($0.value)" : "\($0.key):\($0.value)" }
            .joined(separator: ",")
    }

    /// The newest entries of all cells, and the place after them.
    func newest(_ count: Int, of read: [CellNumber: [AuditEntry]]) -> ([AuditEntry], AuditPlace) {
        var (entries, place, rest) = ([AuditEntry](), self, read.mapValues { $0[...] })
        while entries.count < count,
            let (cell, next) = rest.compactMap({ cell, entries in entries.first.map { (cell, $0) } })
                .max(by: { ($0.1.at, $0.0) < ($1.1.at, $1.0) })
        {
            entries.append(next)
            place.ids[cell] = next.id
            rest[cell]?.removeFirst()
        }
        return (entries, place)
    }
}

extension HTMLPage {
    /// What is kept for how long, and how much room the notifications take.
    fileprivate static func retention(on connection: PostgresConnection) throws -> HTMLPage {
        let retention = try RetentionSetting.read(on: connection) ?? .standardRetention
        let days = "\(grouped(retention.milliseconds / Span.days(1).milliseconds)) days"
        let months = try KeptMonth.all(on: connection)
        let kept = months.reduce(0) { $0 + $1.days }
        let bytes = months.reduce(0) { $0 + $1.bytes }
        let largest = months.map(\.bytes).max() ?? 0
        var byMonth = TextTable([
            .init("Month", isNumber: false, group: 0), .init("Days", group: 1), .init("Size", group: 1),
            .init(bar: "of largest", group: 1),
        ])
        byMonth.rows = months.map { month in
            [
                .init(month.month), .init(grouped(month.days)), .init(sizeWords(month.bytes)),
                .bar(month.bytes, of: largest, .accepted, .page),
            ]
        }
        var rules = TextTable([
            .init("What", isNumber: false, group: 0), .init("How long", isNumber: false, group: 1),
            .init("Changed by", isNumber: false, group: 1),
        ])
        rules.rows = [
            ["notifications", days, "retention.days"],
            ["counters", "permanently", "–"],
            ["tokens and installations", "until the device or account is erased", "landfall erase"],
            [
                "rejected items", "until replayed or dropped; the oldest go when the quarantine is full",
                "landfall quarantine",
            ],
            ["audit, and what the doctor found", "400 days", "–"],
            ["sessions", "12 hours without use, at most 30 days", "–"],
        ].map { cells in cells.map { TextTable.Cell($0) } }
        let database = sizeWords(try KeptMonth.databaseBytes(on: connection))
        return HTMLPage(
            title: "Retention", subject: "", headline: "Notifications are kept for \(days).",
            facts: [("days", "UTC days by the time of sending")],
            sections: [
                .figures([
                    PageFigure(name: "partitions", value: grouped(kept), detail: "one per UTC day"),
                    PageFigure(
                        name: "notifications", value: sizeWords(bytes), detail: "rows and their indexes"),
                    PageFigure(name: "database", value: database, detail: "everything"),
                ]), .table(PageTable(byMonth, caption: "By month")),
                .table(PageTable(rules, caption: "How long data is kept")),
            ])
    }
}

/// `1.2 GB`; a kilobyte has 1,000 bytes.
private func sizeWords(_ bytes: Int64) -> String {
    let units = ["kB", "MB", "GB", "TB"]
    var size = Double(bytes) / 1_000
    var unit = 0
    while size >= 999.5, unit + 1 < units.count { (size, unit) = (size / 1_000, unit + 1) }
    let tenths = Int64((size * 10).rounded())
    let number = size < 10 ? "\(tenths / 10).\(tenths % 10)" : grouped(Int64(size.rounded()))
    return "\(number) \(units[unit])"
}
