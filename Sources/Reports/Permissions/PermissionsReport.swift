public import DeliveryModel
public import PostgresClient

/// How many installations allow notifications, and how many changed that, by their registered permissions.
public struct PermissionsReport: SheetReport, Hashable {
    /// The raw value is the key in JSON and the column in CSV.
    public enum Number: String, CaseIterable, Sendable {
        case asked
        case turnedOff = "turned_off"
        case turnedOn = "turned_on"
        case installations
        case granted
        case provisional
        case ephemeral
        case denied
        case notDetermined = "not_determined"
        case unknown = "permission_unknown"

        /// Each installation is in one of them.
        static let states: [Number] = [
            .granted, .provisional, .ephemeral, .denied, .notDetermined, .unknown,
        ]

        /// Whether it counts what happened in a period, and not how things were at its end.
        var isChange: Bool { [.asked, .turnedOff, .turnedOn].contains(self) }

        var ink: Ink {
            switch self {
            case .installations: .attempted
            case .granted, .turnedOn: .confirmed
            case .provisional, .ephemeral: .accepted
            case .denied, .turnedOff: .trouble
            case .asked, .notDetermined, .unknown: .aside
            }
        }
    }

    public struct Counts: Hashable, Sendable {
        fileprivate let numbers: [Number: Int64]
        /// Installations that allow notifications, but whose user turned alerts off in the settings. Only the
        /// latest settings are kept: `nil` for the past.
        public fileprivate(set) var alertsOff: Int64?

        init(_ numbers: [Number: Int64] = [:], alertsOff: Int64? = nil) {
            self.numbers = numbers.filter { $0.value != 0 }
            self.alertsOff = alertsOff
        }

        public subscript(number: Number) -> Int64 { numbers[number, default: 0] }

        /// The share that allows notifications of those that answered.
        public var optIn: Proportion {
            let allowing = self[.granted] + self[.provisional] + self[.ephemeral]
            return Proportion(allowing, of: allowing + self[.denied])
        }

        /// The counts of the next period, which has these differences from the end of this one.
        fileprivate func followed(by change: Counts) -> Counts {
            Counts(
                change.numbers.merging(numbers.filter { !$0.key.isChange }, uniquingKeysWith: +),
                alertsOff: (alertsOff ?? 0) + (change.alertsOff ?? 0))
        }
    }

    public struct Row: Hashable, Sendable {
        public let key: RowKey
        public let counts: Counts
    }

    public static let name = "permissions"

    public var frame: ReportFrame
    /// Every period up to the present by time, the largest first in each; or else the largest first.
    public var rows: [Row]
    /// The changes of the whole window, and the installations at its end.
    public let totals: Counts
    public var comparison: ReportComparison?

    public var isEmpty: Bool { totals[.installations] == 0 }

    /// Reads all installations' permissions in one snapshot: the work grows with their number in any window.
    ///
    /// - Parameters:
    ///   - now: changes at this instant or later are not included.
    ///   - isPast: whether `now` is in the past. What is known only of the present is then left out.
    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)``, `PostgresError`.
    public static func run(
        _ query: ReportQuery, on connection: PostgresConnection, now: Instant, isPast: Bool = false
    ) throws -> PermissionsReport {
        try connection.snapshot {
            try compared(query) { try counted($0, on: connection, now: now, isPast: isPast) }
        }
    }

    private static func counted(
        _ query: ReportQuery, on connection: PostgresConnection, now: Instant, isPast: Bool
    ) throws -> PermissionsReport {
        let (isPresent, end) = (!isPast && query.window.to >= now, min(query.window.to, now))
        let whole = [(value: "", start: query.window.from)]
        let periods =
            query.by.first(where: \.isPeriod).map {
                PeriodAxis.periods(of: $0, in: query.window, query.timeZone, asOf: now)
            } ?? whole
        let rows = try readRows(query, periods, end: end, isPresent: isPresent, on: connection)
        let totals =
            try query.by.isEmpty
            ? rows : readRows(query.cut(by: []), whole, end: end, isPresent: isPresent, on: connection)
        return try PermissionsReport(
            frame: ReportFrame(
                report: name, query: query, unit: .installations, cohort: .registeredAt, asOf: now),
            rows: query.by.isEmpty ? [] : rows, totals: totals.first?.counts ?? Counts())
    }

    /// The usual rate at which the installations of an app turn notifications off: in the 7 days before the
    /// window, of those that allow notifications, each counted once per day at whose start it does.
    static func usualOptOut(
        before query: ReportQuery, on connection: PostgresConnection
    ) throws(PostgresError) -> Proportion {
        var whole = query.cut(by: [])
        whole.mostRows = nil
        let days = (Int64(1)...8).reversed().map { (value: "", start: query.window.from - .days($0)) }
        let rows = try readRows(whole, days, end: query.window.from, isPresent: false, on: connection)
        return Proportion(
            rows.dropFirst().reduce(0) { $0 + $1.counts[.turnedOff] },
            of: rows.dropLast().reduce(0) { $0 + $1.counts.optIn.numerator })
    }

    /// - Parameters:
    ///   - periods: their values in the rows' keys, if these have any, and their starts.
    ///   - end: of the last period.
    ///   - isPresent: whether the last period ends now.
    private static func readRows(
        _ query: ReportQuery, _ periods: [(value: String, start: Instant)], end: Instant, isPresent: Bool,
        on connection: PostgresConnection
    ) throws(PostgresError) -> [Row] {
        let traits = query.by.filter(\.isTrait)
        let parameters: [PostgresParameter] =
            [
                .value(query.app.appID), .array(periods.map(\.start)), .value(end),
                .value(traits.first?.rawValue), .value(traits.dropFirst().first?.rawValue),
            ] + Dimension.allCases.filter(\.isOfInstallation).map { .values(query.values(of: $0)) }
        var changes: [RowKey: [Int: Counts]] = [:]
        for row in try connection.query(.Reports.permissions, parameters, mostRows: query.mostRows) {
            let period: Int32 = try row.get("period")
            changes[try RowKey(row, by: traits), default: [:]][Int(period) - 1] = try Counts(row)
        }
        if let most = query.mostRows, changes.count * periods.count > most {
            throw PostgresError.tooManyRows(statement: SQLFile.Reports.permissions.name, most: most)
        }
        var (rows, counts): ([Row], [RowKey: Counts]) = ([], [:])
        for (number, period) in periods.enumerated() {
            var found: [Row] = []
            for (subject, its) in changes {
                var count = counts[subject, default: Counts()].followed(by: its[number, default: Counts()])
                counts[subject] = count
                if !isPresent || number < periods.count - 1 { count.alertsOff = nil }
                guard traits.isEmpty || !count.numbers.isEmpty else { continue }
                let key = query.by.map { dimension in
                    subject.parts.first { $0.dimension == dimension } ?? .init(dimension, period.value)
                }
                found.append(Row(key: RowKey(key), counts: count))
            }
            rows += found.sorted {
                ($1.counts[.installations], $0.key.inWords) < ($0.counts[.installations], $1.key.inWords)
            }
        }
        return rows
    }

    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)``: no such value can exist.
    init(frame: ReportFrame, rows: [Row], totals: Counts) throws(ReportError) {
        let rules = AddingUp(report: frame.report)
        try totals.check(place: "the totals", rules)
        for row in rows { try row.counts.check(place: row.key.inWords, rules) }
        let last = rows.filter { $0.key.period == rows.last?.key.period }
        for number in Number.allCases where !frame.query.by.isEmpty {
            let sum = (number.isChange ? rows : last).reduce(0) { $0 + $1.counts[number] }
            try rules.require(totals[number], ==, sum, "\(number.rawValue) = Σ rows")
        }
        self.frame = frame
        self.rows = rows
        self.totals = totals
    }
}

extension PermissionsReport.Counts {
    fileprivate init(_ row: PostgresRow) throws(PostgresError) {
        var numbers: [PermissionsReport.Number: Int64] = [:]
        for number in PermissionsReport.Number.allCases {
            numbers[number] = try row.get(number.rawValue, as: Int64.self)
        }
        self.init(numbers, alertsOff: try row.get("alerts_off", as: Int64.self))
    }

    /// Checks that each installation has one permission, and that alerts are off only where they are allowed.
    fileprivate func check(place: String, _ rules: AddingUp) throws(ReportError) {
        for number in PermissionsReport.Number.allCases {
            try rules.require(self[number], >=, 0, "\(number.rawValue) ≥ 0", place)
        }
        let sum = PermissionsReport.Number.states.reduce(0) { $0 + self[$1] }
        try rules.require(self[.installations], ==, sum, "installations = Σ permissions", place)
        try rules.check(optIn, "opt_in", place: place)
        let alertsOff = Proportion(alertsOff ?? 0, of: optIn.numerator)
        try rules.check(alertsOff, "alerts_off", place: place)
    }
}
