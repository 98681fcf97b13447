internal import Rendering
internal import Simulation

/// What the server did with an attacker's requests, by kind.
struct AttackCounts: Equatable, Sendable {
    struct Row: Equatable, Sendable {
        fileprivate(set) var requests: Int64 = 0
        fileprivate(set) var items: Int64 = 0
        fileprivate(set) var accepted: Int64 = 0
        fileprivate(set) var duplicates: Int64 = 0
        fileprivate(set) var rejected: Int64 = 0
        /// Requests that got 429; none of their items was read.
        fileprivate(set) var throttled: Int64 = 0
        /// Other requests without a verdict, by status: 0 if there was no response.
        fileprivate(set) var otherwise: [Int: Int64] = [:]

        static func += (total: inout Row, part: Row) {
            total.requests += part.requests
            total.items += part.items
            total.accepted += part.accepted
            total.duplicates += part.duplicates
            total.rejected += part.rejected
            total.throttled += part.throttled
            total.otherwise.merge(part.otherwise) { $0 + $1 }
        }
    }

    private(set) var rows: [ForgedRequest.Kind: Row] = [:]

    init() {}

    /// The result of one request.
    init(_ forged: ForgedRequest, _ response: ServerResponse) {
        var row = Row(requests: 1, items: Int64(forged.itemCount))
        switch response {
        case .taken where forged.kind == .registrations: row.accepted = 1
        case .taken(let body):
            let counts = (try? ReceivedCounts(response: body)) ?? ReceivedCounts()
            (row.accepted, row.duplicates, row.rejected) =
                (counts.accepted, counts.duplicates, counts.rejected)
        case .putOff(.some(429), _, _): row.throttled = 1
        case .putOff(let status, _, _): row.otherwise[status ?? 0] = 1
        case .rejected(let problem): row.otherwise[problem.status] = 1
        }
        rows[forged.kind] = row
    }

    static func += (total: inout AttackCounts, part: AttackCounts) {
        for (kind, row) in part.rows { total.rows[kind, default: Row()] += row }
    }

    func accepted(_ kind: ForgedRequest.Kind) -> Int64 { rows[kind]?.accepted ?? 0 }
}

extension AttackCounts {
    func lines(_ style: OutputStyle) -> [String] {
        let titles = ["Items", "Accepted", "Duplicates", "Rejected", "Requests", "429", "Other"]
        var table = TextTable(
            [TextTable.Column("Forged", isNumber: false, group: 0)]
                + titles.map { TextTable.Column($0, group: 1) })
        table.rows = ForgedRequest.Kind.allCases.compactMap { kind -> [TextTable.Cell]? in
            guard let row = rows[kind] else { return nil }
            let counts = [
                row.items, row.accepted, row.duplicates, row.rejected, row.requests, row.throttled,
                row.otherwise.values.reduce(0, +),
            ]
            return [TextTable.Cell(kind.rawValue)] + counts.map { TextTable.Cell(grouped($0)) }
        }
        return [style.paint("What the server did with the attacker's requests", .title), ""]
            + table.lines(style)
    }
}
