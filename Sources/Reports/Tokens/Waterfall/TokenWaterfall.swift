public import DeliveryModel
public import PostgresClient

/// The changes in the number of active tokens, or installations: the number at the beginning of each period,
/// what joined, what left and why, and what remains. Read from the ledger: each row counts when it happened,
/// if the ledger contained it at ``WaterfallWindow/asOf``. The same query and `asOf` have the same result.
///
/// The state of an installation is the best one among the tokens it holds that show notifications: active,
/// suspect, stale, retired. An installation that lost all of them to others is retired.
public struct TokenWaterfall: Hashable, Sendable {
    public enum Unit: String, CaseIterable, Sendable {
        case installations
        /// Tokens of the kinds that show notifications.
        case tokens
    }

    /// One day or week, or the whole window.
    public struct Period: Hashable, Sendable {
        /// The local date of the day, or of the week's Monday; `nil` for the whole window.
        public let name: String?
        public let from: Instant
        public let to: Instant
        /// Right before `from`.
        public let start: StateCounts
        public let moves: [TokenMove: Int64]
        /// Installations that said that the system gave their app no token; `nil` if tokens are counted. They
        /// are in none of the moves.
        public let registrationFailures: Int64?

        /// Right before `to`.
        public var end: StateCounts { start.moved(by: moves) }

        /// The gains and losses of the active ones, never below 0 except ``ActiveFlow/migrated``.
        public var flows: [ActiveFlow: Int64] {
            var flows: [ActiveFlow: Int64] = [:]
            for (move, count) in moves {
                guard let flow = move.flow else { continue }
                flows[flow, default: 0] += flow == .migrated && move.from == .active ? -count : count
            }
            if flows[.migrated] == 0 { flows[.migrated] = nil }
            return flows
        }

        public var net: Int64 { end[.active] - start[.active] }
    }

    public let app: App
    public let unit: Unit
    public let window: WaterfallWindow
    /// One for each day or week; none without a breakdown.
    public let periods: [Period]
    /// The whole window.
    public let total: Period

    /// Reads the ledger in one snapshot. The work grows with the whole ledger.
    ///
    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)``, `PostgresError`.
    public static func run(
        for app: App, unit: Unit, window: WaterfallWindow, on connection: PostgresConnection
    ) throws -> TokenWaterfall {
        let asOf = unit == .tokens ? StateCounts.tokens : StateCounts.installations
        return try connection.snapshot {
            try TokenWaterfall(
                app: app, unit: unit, window: window,
                start: asOf(app.appID, window.from, window.asOf, connection),
                moves: readMoves(app, unit, window, connection),
                end: asOf(app.appID, window.to, window.asOf, connection),
                failures: unit == .tokens ? nil : RegistrationFailures(app, window, on: connection))
        }
    }

    /// - Parameters:
    ///   - start: the counts before the window according to the ledger; `end` those at its end.
    ///     Both are counted separately from the moves.
    ///   - moves: those of each period, in order.
    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)``: no such value can exist.
    init(
        app: App, unit: Unit, window: WaterfallWindow, start: StateCounts, moves: [[TokenMove: Int64]],
        end: StateCounts, failures: RegistrationFailures? = nil
    ) throws(ReportError) {
        var periods: [Period] = []
        for (number, (bounds, moves)) in zip(zip(window.bounds, window.bounds.dropFirst()), moves)
            .enumerated()
        {
            periods.append(
                Period(
                    name: window.by == nil ? nil : window.name(of: bounds.0), from: bounds.0, to: bounds.1,
                    start: periods.last?.end ?? start, moves: moves,
                    registrationFailures: failures.map { $0.byPeriod[number, default: 0] }))
        }
        self.app = app
        self.unit = unit
        self.window = window
        self.periods = window.by == nil ? [] : periods
        total = Period(
            name: nil, from: window.from, to: window.to, start: start,
            moves: moves.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) },
            registrationFailures: failures?.total)
        try check(periods, end: end)
    }

    private static func readMoves(
        _ app: App, _ unit: Unit, _ window: WaterfallWindow, _ connection: PostgresConnection
    ) throws(PostgresError) -> [[TokenMove: Int64]] {
        var moves = [[TokenMove: Int64]](repeating: [:], count: window.bounds.count - 1)
        let rows = try connection.query(
            unit == .tokens ? .Tokens.tokenMoves : .Tokens.installationMoves,
            [
                .value(app.appID), .array(window.bounds), .array(TokenKind.alerting.map(\.rawValue)),
                .value(window.asOf),
            ])
        for row in rows {
            let isKnown = try row.getOptional("from_state", as: String.self) != nil
            let move = TokenMove(
                from: isKnown ? try row.get("from_state") : nil, to: try row.get("to_state"),
                rule: try row.get("rule"))
            moves[Int(try row.get("period", as: Int32.self)) - 1][move, default: 0] += try row.get("moved")
        }
        return moves
    }
}

extension TokenWaterfall {
    static let name = "waterfall"

    /// Checks that for every state, start + in − out = end, that no count was ever negative, and
    /// that the flows of the active ones add up to their net change.
    func check(_ periods: [Period], end: StateCounts) throws(ReportError) {
        let rules = AddingUp(report: Self.name)
        for state in TokenState.allCases {
            try rules.require(
                total.end[state], ==, end[state], "\(state.rawValue): start + in - out = end")
        }
        for period in periods {
            let place = period.name.map { "\(window.by?.rawValue ?? "period") \($0)" } ?? "the totals"
            for state in TokenState.allCases {
                try rules.require(period.start[state], >=, 0, "\(state.rawValue) ≥ 0", place)
                try rules.require(period.end[state], >=, 0, "\(state.rawValue) ≥ 0", place)
            }
            let flows = period.flows.reduce(0) { $0 + ($1.key.isGain ? $1.value : -$1.value) }
            try rules.require(
                flows, ==, period.net,
                "registered + revived - rotated + migrated - retired - stale - suspect = net",
                place)
        }
    }
}

/// How many installations said that the system gave their app no token. One that said so on several days
/// counts once per UTC day, in the period of its first report of that day.
struct RegistrationFailures {
    /// Without a key for periods in which none said so; 0 is the first period.
    let byPeriod: [Int: Int64]
    /// Each installation once.
    let total: Int64
}

extension RegistrationFailures {
    init(_ app: App, _ window: WaterfallWindow, on connection: PostgresConnection) throws(PostgresError) {
        var (byPeriod, total): ([Int: Int64], Int64) = ([:], 0)
        for row in try connection.query(
            .Tokens.registrationFailures, [.value(app.appID), .array(window.bounds), .value(window.asOf)])
        {
            let installations: Int64 = try row.get("installations")
            if let period = try row.getOptional("period", as: Int32.self) {
                byPeriod[Int(period) - 1] = installations
            } else {
                total = installations
            }
        }
        self.init(byPeriod: byPeriod, total: total)
    }
}
