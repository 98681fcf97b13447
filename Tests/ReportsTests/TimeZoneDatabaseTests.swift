import DeliveryModel
import PostgresClient
import Reports
import TestDatabase
import Testing

/// The beginnings of a zone's periods, written down from the zone's rules.
struct ZonedCase: Sendable, CustomTestStringConvertible {
    let zone: String
    let by: String
    /// Instants in UTC.
    let sent: [String]
    let expected: [String: Int64]

    var testDescription: String { "\(zone) by \(by)" }

    static let all: [ZonedCase] = [
        // UTC+05:45 all year.
        .init(
            "Asia/Kathmandu", "hour",
            ["2026-03-31T18:14:59Z", "2026-03-31T18:15:00Z", "2026-03-31T19:14:59Z"],
            ["2026-03-31T23:00:00+05:45": 1, "2026-04-01T00:00:00+05:45": 2]),
        .init(
            "Asia/Kathmandu", "day",
            ["2026-03-31T18:14:59Z", "2026-03-31T18:15:00Z", "2026-04-01T18:14:59Z"],
            ["2026-03-31": 1, "2026-04-01": 2]),
        .init(
            "Asia/Kathmandu", "week", ["2026-04-05T18:14:59Z", "2026-04-05T18:15:00Z"],
            ["2026-03-30": 1, "2026-04-06": 1]),
        .init(
            "Asia/Kathmandu", "month", ["2026-03-31T18:14:59Z", "2026-03-31T18:15:00Z"],
            ["2026-03-01": 1, "2026-04-01": 1]),
        // Half an hour of daylight saving time: 11:00 ahead until 2026-04-05 02:00, then 10:30.
        .init(
            "Australia/Lord_Howe", "hour",
            [
                "2026-04-04T14:00:00Z", "2026-04-04T14:59:59Z", "2026-04-04T15:00:00Z",
                "2026-04-04T15:29:59Z",
                "2026-04-04T15:30:00Z",
            ],
            [
                "2026-04-05T01:00:00+11:00": 2, "2026-04-05T01:00:00+10:30": 2,
                "2026-04-05T02:00:00+10:30": 1,
            ]),
        .init(
            "Australia/Lord_Howe", "day",
            ["2026-04-04T12:59:59Z", "2026-04-04T13:00:00Z", "2026-04-05T13:29:59Z", "2026-04-05T13:30:00Z"],
            ["2026-04-04": 1, "2026-04-05": 2, "2026-04-06": 1]),
        .init(
            "Australia/Lord_Howe", "week", ["2026-04-05T13:29:59Z", "2026-04-05T13:30:00Z"],
            ["2026-03-30": 1, "2026-04-06": 1]),
        // Again 11:00 from 2026-10-04 02:00 on.
        .init(
            "Australia/Lord_Howe", "hour", ["2026-10-03T15:29:59Z", "2026-10-03T15:30:00Z"],
            ["2026-10-04T01:00:00+10:30": 1, "2026-10-04T02:00:00+11:00": 1]),
        .init(
            "Australia/Lord_Howe", "day",
            ["2026-10-03T13:30:00Z", "2026-10-04T12:59:59Z", "2026-10-04T13:00:00Z"],
            ["2026-10-04": 2, "2026-10-05": 1]),
        .init(
            "Australia/Lord_Howe", "month", ["2026-10-31T12:59:59Z", "2026-10-31T13:00:00Z"],
            ["2026-10-01": 1, "2026-11-01": 1]),
        // The night that loses an hour: 02:00 is 03:00 on 2026-03-29.
        .init(
            "Europe/Berlin", "hour", ["2026-03-29T00:59:59Z", "2026-03-29T01:00:00Z"],
            ["2026-03-29T01:00:00+01:00": 1, "2026-03-29T03:00:00+02:00": 1]),
        .init(
            "Europe/Berlin", "day",
            ["2026-03-28T22:59:59Z", "2026-03-28T23:00:00Z", "2026-03-29T21:59:59Z", "2026-03-29T22:00:00Z"],
            ["2026-03-28": 1, "2026-03-29": 2, "2026-03-30": 1]),
        .init(
            "Europe/Berlin", "week", ["2026-03-29T21:59:59Z", "2026-03-29T22:00:00Z"],
            ["2026-03-23": 1, "2026-03-30": 1]),
        // The night that repeats an hour: 03:00 is 02:00 on 2026-10-25.
        .init(
            "Europe/Berlin", "hour",
            ["2026-10-25T00:00:00Z", "2026-10-25T00:59:59Z", "2026-10-25T01:00:00Z", "2026-10-25T02:00:00Z"],
            [
                "2026-10-25T02:00:00+02:00": 2, "2026-10-25T02:00:00+01:00": 1,
                "2026-10-25T03:00:00+01:00": 1,
            ]),
        .init(
            "Europe/Berlin", "day",
            ["2026-10-24T21:59:59Z", "2026-10-24T22:00:00Z", "2026-10-25T22:59:59Z", "2026-10-25T23:00:00Z"],
            ["2026-10-24": 1, "2026-10-25": 2, "2026-10-26": 1]),
        .init(
            "Europe/Berlin", "month", ["2026-10-31T22:59:59Z", "2026-10-31T23:00:00Z"],
            ["2026-10-01": 1, "2026-11-01": 1]),
    ]

    init(_ zone: String, _ by: String, _ sent: [String], _ expected: [String: Int64]) {
        self.zone = zone
        self.by = by
        self.sent = sent
        self.expected = expected
    }
}

@Suite("Periods in time zones", .database)
struct TimeZoneDatabaseTests {
    private var database: TestDatabase { .current }

    private let accepted: DeliveryState = [.attempted, .accepted, .canReport]

    @Test(
        "begin at local clock times, in headline counters, segments and the loss report alike",
        arguments: ZonedCase.all)
    func periods(zoned: ZonedCase) async throws {
        try await database.addAppsAndCampaigns()
        try await database.addSegments()
        try await database.add(zoned.sent.map { SentNotification($0, accepted) })
        for filters in [[], [ReportFilter(.platform, ["ios"])]] {
            let request = ReportRequest(
                from: "2026-03-01", to: "2026-12-01", timeZone: zoned.zone, by: [zoned.by], filters: filters)
            let funnel = try await database.ask(request) {
                try FunnelReport.run($0, on: $1, now: $2, estimate: .always)
            }
            #expect(counts(funnel.rows.map { ($0.key, $0.counts[.attempted]) }) == zoned.expected)
            let capable = funnel.rows.map { row in
                (row.key, funnel.context.arrivals?.rows[row.key]?.capable[.accepted] ?? 0)
            }
            #expect(counts(capable) == zoned.expected)
            let loss = try await database.ask(request) { try LossReport.run($0, on: $1, now: $2) }
            #expect(counts(loss.rows.map { ($0.key, $0.counts.unconfirmed) }) == zoned.expected)
        }
    }

    private func counts(_ rows: [(RowKey, Int64)]) -> [String: Int64] {
        Dictionary(rows.map { ($0.0.parts[0].value ?? "", $0.1) }, uniquingKeysWith: +)
    }
}
