internal import Basics
internal import Foundation
internal import PostgresClient

/// What a cell has recorded of an app, compared with what clients know.
struct Comparison: Sendable {
    let ground: CellGround
    let client: CellClient

    private static let listed = 5

    /// The rows of an app in the database of a cell.
    private struct Rows: Sendable {
        let appID: Int64
        var items = RecordedItems()
        var notifications: [String] = []
        let transitions: Int64
    }

    /// - Parameter cell: the cell that has the app now.
    func differences(_ app: CellApp, in cell: Int, known: Load.Known) async throws -> [String] {
        guard let rows = try await self.rows(of: app, in: cell) else {
            return ["cell \(cell) has no \(app.slug)"]
        }
        let (reader, random) = (FeedReader(app: app, client: client), SeededRandom(seed: 0))
        let values = try await reader.values(random)
        let again = try await reader.read(random) { true }
        var found = compare("accepted notifications", rows.items.accepted, known.items.accepted)
        found += compare("rejected notifications", rows.items.rejected, known.items.rejected)
        found += compare("arrivals", rows.items.arrived, known.items.arrived)
        found += compare("tokens", Set(values), known.items.tokens)
        found += compare("tokens in the feed", known.reading.values, known.items.tokens)
        found += repeated("notifications", rows.notifications) + repeated("tokens", values)
        found += repeated("rows of the feed", known.reading.rows.map { String($0) })
        if Int64(again.rows.count) != rows.transitions {
            found.append("the feed has \(again.rows.count) rows, and the ledger \(rows.transitions)")
        }
        if known.reading.rows != again.rows {
            let place = zip(known.reading.rows, again.rows).prefix { $0 == $1 }.count
            let counts = "\(known.reading.rows.count) rows, and from the beginning \(again.rows.count)"
            found.append("the reader got \(counts), which differ from row \(place) on")
        }
        return (found + known.reading.troubles + again.troubles).map { "\(app.slug): \($0)" }
    }

    /// The differences between counters and rows in any cell.
    func verify() async throws -> [String] {
        let end = try await ground.end(of: ["verify"])
        return end.code == 0 ? [] : ["landfall verify: \(end.output)"]
    }

    /// What a cell still has of an app that has left it.
    func leftovers(of app: CellApp, now cell: Int, in other: Int) async throws -> [String] {
        guard let appID = try await rows(of: app, in: cell)?.appID else { return [] }
        let counts = try await ground.withConnection(to: other) { connection in
            let row = try connection.query(.Soak.countRowsOfApp, [.value(appID)]).single()
            return try (row.get("notifications", as: Int64.self), row.get("transitions", as: Int64.self))
        }
        return counts == (0, 0) ? [] : ["cell \(other) still has \(counts) rows of \(app.slug)"]
    }

    private func rows(of app: CellApp, in cell: Int) async throws -> Rows? {
        let slug = app.slug
        return try await ground.withConnection(to: cell) { connection in
            guard let found = try connection.query(.Soak.findApp, [.value(slug)]).first else { return nil }
            let appID: Int64 = try found.get("app_id")
            let counts = try connection.query(.Soak.countRowsOfApp, [.value(appID)]).single()
            var rows = Rows(appID: appID, transitions: try counts.get("transitions"))
            for row in try connection.query(.Soak.recordedResponses, [.value(appID)]) {
                let id: String = try row.get("notification_id")
                rows.notifications.append(id)
                if try row.get("is_accepted") {
                    rows.items.accepted.insert(id)
                } else if try row.get("has_response") {
                    rows.items.rejected.insert(id)
                }
                if try row.get("has_arrived") { rows.items.arrived.insert(id) }
            }
            return rows
        }
    }

    private func compare(_ name: String, _ recorded: Set<String>, _ known: Set<String>) -> [String] {
        let (lost, unknown) = (known.subtracting(recorded), recorded.subtracting(known))
        var found: [String] = []
        if !lost.isEmpty { found.append("\(lost.count) \(name) lost: \(some(lost))") }
        if !unknown.isEmpty {
            found.append("\(unknown.count) \(name) of unknown origin: \(some(unknown))")
        }
        return found
    }

    private func repeated(_ name: String, _ elements: [String]) -> [String] {
        let counts = elements.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        let found = Set(counts.filter { $0.value > 1 }.keys)
        return found.isEmpty ? [] : ["\(found.count) \(name) more than once: \(some(found))"]
    }

    private func some(_ elements: Set<String>) -> String {
        elements.sorted().prefix(Self.listed).joined(separator: ", ")
    }
}
