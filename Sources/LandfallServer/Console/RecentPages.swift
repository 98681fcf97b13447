internal import DeliveryModel
internal import Doctor
internal import People
internal import PostgresClient
internal import Rendering
internal import Reports
internal import TokenLifecycle

struct PageContent: Sendable {
    let title: String
    let markup: [Markup]
    /// `nil` if no program asks for the page again.
    var tag: ReportTag?
}

/// Contents of pages, shared by everyone who looks at the same address.
typealias RecentPages = Recent<PageContent>

extension RecentPages {
    /// The page of an address.
    ///
    /// - Parameters:
    ///   - title: the page's title until there is a content.
    ///   - read: its result depends on the app, the origin and the address, not on the person.
    func page(
        _ title: String, _ place: ConsolePlace?, _ before: [Markup] = [], for visit: Visit,
        _ read: @escaping @Sendable () async throws -> PageContent
    ) async throws -> ConsolePage {
        let address = PageAddress(path: visit.path, visit.parameters)
        let question = [visit.app.map { "\($0.appID)" } ?? "", visit.origin ?? "", address.text]
        let answer = try await answer(question.joined(separator: " "), read)
        return ConsolePage(
            title: answer.value?.title ?? title, place: place,
            tag: answer.counting == nil ? answer.value?.tag : nil, counting: answer.counting, isLive: true
        ) {
            before
            answer.content(title) { $0.markup }
        }
    }
}

extension Recent.Answer {
    /// The value on a page; until there is one, a sentence instead.
    @MarkupBuilder
    func content(_ title: String, @MarkupBuilder _ shown: (Value) -> [Markup]) -> [Markup] {
        if let value {
            shown(value)
        } else {
            h1 { title }
            p(class: "headline", ["role": "status"]) { "Counting. The numbers appear here in a few seconds." }
        }
    }
}

/// Parts of pages that take seconds with millions of tokens or notifications, shared by everyone who looks.
struct RecentParts: Sendable {
    let desk: ReportDesk
    private let cards = Recent<AppCards>(capacity: 100)
    private let examinations = Recent<DoctorReport>(capacity: 100)
    private let tokens = Recent<TokenHealth>(capacity: 100)
    private let sweeps = Recent<SweepReport>(capacity: 100)

    private func read<Value>(
        _ recent: Recent<Value>, _ question: String, in cell: CellNumber,
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Recent<Value>.Answer {
        try await recent.answer(question) { [desk] in try await desk.read(in: cell, body) }
    }

    func cards(of apps: [App], now: Instant) async throws -> Recent<AppCards>.Answer {
        try await cards.answer(apps.map { "\($0.appID)" }.joined(separator: " ")) { [desk] in
            let read: [CellNumber: [(App, AppCard)]] = try await desk.cells.each { cell in
                let own = apps.filter { $0.cell == cell.number }
                return try await desk.read(in: cell.number) { connection in
                    try own.map { ($0, try AppCard(of: $0, now: now, on: connection)) }
                }
            }
            let known = Dictionary(uniqueKeysWithValues: read.values.joined())
            return (apps.compactMap { known[$0] }, desk.cells.note(without: read.keys))
        }
    }

    /// The doctor's findings: of the database as a whole only for people who may see all apps.
    func examination(of app: App, for visit: Visit) async throws -> Recent<DoctorReport>.Answer {
        var answer = try await read(examinations, "\(app.appID)", in: app.cell) { connection in
            try DoctorReport.run(for: [app], examinesServer: false, on: connection, now: visit.now)
        }
        if visit.person.grants.everywhere == nil, let report = answer.value {
            answer.value = DoctorReport(
                asOf: report.asOf, hours: report.hours, patients: report.patients.filter { $0.app != nil })
        }
        return answer
    }

    /// - Parameter apps: all of them are in the cell.
    func examination(
        of apps: [App], in cell: CellNumber, now: Instant
    ) async throws -> Recent<DoctorReport>.Answer {
        let question = apps.map { "\($0.appID)" }.joined(separator: " ")
        return try await read(examinations, "all \(question)", in: cell) { [desk] in
            try DoctorReport.run(for: apps, isOneOfSeveral: !desk.cells.others.isEmpty, on: $0, now: now)
        }
    }

    func tokenHealth(of app: App, now: Instant) async throws -> Recent<TokenHealth>.Answer {
        try await read(tokens, "\(app.appID)", in: app.cell) {
            try TokenHealth.run(for: app, on: $0, now: now)
        }
    }

    func sweepPlan(of app: App) async throws -> Recent<SweepReport>.Answer {
        try await read(sweeps, "\(app.appID)", in: app.cell) { connection in
            // PostgreSQL's clock is used, because a wrong clock here would make every token look silent.
            let now = try connection.clock()
            let sweep = Sweep(appID: app.appID, on: connection)
            let rules = try sweep.rules()
            let past = try PastSweeps(appID: app.appID, now: now, on: connection)
            var report = SweepReport(app: app, rules: rules, past: past, asOf: now)
            report.plan = try sweep.plan(rules, now: now)
            return report
        }
    }
}

/// The cards of apps, and a note that says which are missing; `nil` if none is.
typealias AppCards = (cards: [AppCard], note: Markup?)

extension AppCard {
    fileprivate init(of app: App, now: Instant, on connection: PostgresConnection) throws {
        let muted = try FindingMutes.list(of: app, now: now, on: connection)
        let open = try FindingEpisodes.list(of: app, since: now, on: connection)
        self.init(
            today: try AppToday.run(for: app, in: .utc, on: connection, now: now),
            week: try AppWeek.run(for: app, in: .utc, on: connection, now: now),
            findings: open.filter { episode in
                episode.resolvedAt == nil && !muted.contains { $0.finding.rawValue == episode.finding }
            })
    }
}

extension Cells {
    /// A note for a page without the results of some cells; `nil` if it has those of all.
    func note(without known: some Collection<CellNumber>) -> Markup? {
        let missing = numbers.filter { !known.contains($0) }.map { "cell \($0)" }
        guard !missing.isEmpty else { return nil }
        let words = missing.joined(separator: ", ")
        return p(class: "note") { "The database of \(words) cannot be reached: its apps are missing here." }
    }
}
