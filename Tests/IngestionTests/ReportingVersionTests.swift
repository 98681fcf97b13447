import DeliveryModel
import Foundation
import Ingestion
import PostgresClient
import Reports
import TestDatabase
import Testing

/// The versions of an app whose extension reports, and the counts behind that.
@Suite("Versions that report", .database)
struct ReportingVersionTests {
    private let story = FactStory()

    /// Reportable, reported with the version, reported without one; by version, such as `ios 7.1.0`.
    private func counted() async throws -> [String: [Int64]] {
        let rows = try await story.database.query(
            """
            SELECT platform || ' ' || app_version, sum(reportable)::bigint, sum(arrived_named)::bigint,
                   sum(arrived_unnamed)::bigint
              FROM landfall.version_rollup GROUP BY 1
            """
        ) { row in (try row.get(0, as: String.self), try (1...3).map { try row.get($0, as: Int64.self) }) }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    private func expect(
        _ expected: [String: [Int64]], reporting versions: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(try await counted() == expected, sourceLocation: sourceLocation)
        #expect(try await story.versions() == versions, sourceLocation: sourceLocation)
        #expect(try await story.verify().differences == [], sourceLocation: sourceLocation)
    }

    /// Posts this many pushes to one token, of which some arrived.
    private func post(to token: String, _ pushes: Int, arrived: Int, by appVersion: String?) async throws {
        let writer = try await story.writer()
        let ids = (0..<pushes).map { _ in UUID() }
        let events =
            ids.map { story.response($0, 200, to: token) }
            + ids.prefix(arrived).map {
                story.report(.arrival, $0, after: .seconds(2), appVersion: appVersion)
            }
        _ = try await writer.write(events.map(FactStory.item))
    }

    @Test("an installation updated between push and arrival credits neither version, in any order")
    func updated() async throws {
        try await story.register("aa11", appVersion: "6.9.2")
        try await story.register("bb22", appVersion: "7.2.0")
        let orders = permutations([0, 1, 2])
        for (token, number) in [("aa11", 0), ("bb22", 1)] {
            for order in orders {
                let id = UUID()
                let events = [
                    story.response(id, 200, to: token),
                    story.report(.arrival, id, after: .seconds(9), appVersion: "7.2.0"),
                    story.report(.click, id, after: .seconds(20), appVersion: "7.2.0"),
                ]
                try await story.post(order.map { events[$0] })
            }
            #expect(try await counted().count == number + 1)
        }
        try await expect(["ios 6.9.2": [6, 0, 0], "ios 7.2.0": [6, 6, 0]], reporting: ["ios 7.2.0"])
    }

    @Test(
        "an arrival before its response is credited when the response arrives, under whatever id the row was found"
    )
    func lateResponses() async throws {
        try await story.register("aa11", appVersion: "7.1.0")
        for isDated in [true, false] {
            let id = UUID()
            try await story.post([
                story.report(.click, id, after: .seconds(9), isDated: isDated, appVersion: "7.0.0"),
                story.report(.arrival, id, after: .seconds(2), isDated: isDated, appVersion: "7.1.0"),
            ])
            #expect(try await story.verify().differences == [])
            try await story.post([
                story.response(id, 429, "TooManyRequests", to: "aa11"), story.response(id, 200, to: "aa11"),
            ])
        }
        try await expect(["ios 7.1.0": [2, 2, 0]], reporting: ["ios 7.1.0"])
    }

    @Test("the first arrival of a notification is credited; others change nothing, whatever they name")
    func repeated() async throws {
        try await story.register("aa11", appVersion: "7.1.0")
        let (named, unnamed, dated) = (UUID(), UUID(), UUID())
        try await story.post([
            story.response(named, 200, to: "aa11"), story.response(unnamed, 200, to: "aa11"),
            story.report(.arrival, named, after: .seconds(2), appVersion: "7.1.0"),
            story.report(.arrival, named, after: .seconds(1)),
            story.report(.arrival, unnamed, after: .seconds(2)),
            story.report(.arrival, dated, after: nil, isDated: false),
        ])
        // In batches with something new, and with the response that dates the row.
        let writer = try await story.writer()
        for (id, others) in [
            (named, [story.report(.click, named, after: .seconds(3))]),
            (unnamed, [story.report(.click, unnamed, after: .seconds(3))]),
            (dated, [story.response(dated, 200, to: "aa11")]),
        ] {
            let again = ["7.2.0", "7.1.0"].map {
                story.report(.arrival, id, after: .seconds(1), appVersion: $0)
            }
            _ = try await writer.write((again + others).map(FactStory.item))
        }
        try await expect(["ios 7.1.0": [3, 1, 2]], reporting: ["ios 7.1.0"])
    }

    @Test("a few strays do not make a version one that reports, however many pushes outweigh them")
    func strays() async throws {
        try await story.register("aa11", appVersion: "7.1.0")
        try await post(to: "aa11", 300, arrived: 5, by: "7.1.0")
        try await expect(["ios 7.1.0": [300, 5, 0]], reporting: [])
        try await post(to: "aa11", 100, arrived: 60, by: "7.1.0")
        try await expect(["ios 7.1.0": [400, 65, 0]], reporting: ["ios 7.1.0"])
    }

    @Test("arrivals without a version credit the push's if they outnumber those of updated installations")
    func unnamed() async throws {
        try await story.register("aa11", appVersion: "6.9.2")
        try await story.register("bb22", appVersion: "7.1.0")
        try await post(to: "aa11", 100, arrived: 9, by: nil)
        try await post(to: "bb22", 100, arrived: 60, by: nil)
        try await expect(["ios 6.9.2": [100, 0, 9], "ios 7.1.0": [100, 0, 60]], reporting: ["ios 7.1.0"])
    }

    @Test("an app with three installations reports on its first day", arguments: [nil, "1.0"])
    func firstDay(appVersion: String?) async throws {
        for token in ["aa11", "bb22", "cc33"] {
            try await story.register(token, appVersion: "1.0")
            let id = UUID()
            try await story.post([
                story.report(.arrival, id, after: .seconds(1), appVersion: appVersion),
                story.response(id, 200, to: token),
            ])
            #expect(try await story.versions() == ["ios 1.0"])
        }
        #expect(try await story.verify().differences == [])
    }

    @Test("pushes that no extension could report are no evidence about a version")
    func silent() async throws {
        try await story.register("aa11", appVersion: "7.1.0", permission: "denied")
        try await story.register("bb22", appVersion: "7.1.0", permission: "not_determined")
        try await post(to: "aa11", 3, arrived: 1, by: "7.1.0")
        try await post(to: "bb22", 3, arrived: 1, by: "7.1.0")
        try await post(to: "cc33", 3, arrived: 3, by: "7.1.0")
        let background = UUID()
        var response = ProviderResponse(provider: "apns", status: 200)
        response.pushType = "background"
        response.topic = "com.example.shop"
        response.target = .token(FactStory.address("dd44"))
        try await story.register("dd44", appVersion: "7.1.0")
        try await story.post([
            Event(notificationID: background, sentAt: story.sentAt, content: .response(response)),
            story.report(.arrival, background, after: .seconds(1), appVersion: "7.1.0"),
        ])
        try await expect([:], reporting: [])
    }

    @Test("each device's arrival of a shared message is credited, even if the response had to wait")
    func messages() async throws {
        let message = MessageStory()
        let (known, late) = (UUID(), UUID())
        try await message.register(known, appVersion: "7.1.0")
        for isDated in [true, false] {
            let id = message.message(isDated: isDated)
            for device in [known, late] {
                try await message.post(message.report(.arrival, id, by: device, appVersion: "7.1.0"))
                try await message.post(message.response(id, to: MessageStory.token(device)))
            }
        }
        try await expect(["ios 7.1.0": [2, 2, 0]], reporting: ["ios 7.1.0"])
        // The version at the time of sending was unknown, so no version is credited.
        try await message.register(late, appVersion: "7.1.0")
        try await expect(["ios 7.1.0": [2, 2, 0]], reporting: ["ios 7.1.0"])
        #expect(
            try await story.database.count(
                "SELECT sum(arrived_reportable)::bigint FROM public.counted")
                == 4)
    }

    @Test("events posted again, shuffled, in batches and by several writers, are counted once")
    func repeats() async throws {
        try await story.register("aa11", appVersion: "7.0.0")
        try await story.register("bb22", appVersion: "7.1.0")
        var events: [Event] = []
        for number in 0..<60 {
            let id = UUID()
            let named = [nil, "7.0.0", "7.1.0"][number % 3]
            events.append(story.response(id, 200, to: number.isMultiple(of: 2) ? "aa11" : "bb22"))
            events.append(
                story.report(
                    .arrival, id, after: .seconds(1), isDated: number.isMultiple(of: 5), appVersion: named))
            if number.isMultiple(of: 4) { events.append(story.report(.click, id, after: .minutes(7))) }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for shard in Int16(0)..<3 {
                let writer = try await story.writer(shard: shard)
                let items = events.shuffled().map(FactStory.item)
                group.addTask {
                    for start in stride(from: 0, to: items.count, by: 20) {
                        _ = try await writer.write(Array(items[start..<min(start + 20, items.count)]))
                    }
                }
            }
            try await group.waitForAll()
        }
        try await expect(
            ["ios 7.0.0": [30, 10, 10], "ios 7.1.0": [30, 10, 10]], reporting: ["ios 7.0.0", "ios 7.1.0"])
    }

    @Test("are verified: counters that the notifications contradict are found")
    func verified() async throws {
        try await story.register("aa11", appVersion: "7.1.0")
        try await post(to: "aa11", 3, arrived: 2, by: "7.1.0")
        try await story.database.execute(
            "UPDATE landfall.version_rollup SET reportable = 4, arrived_named = 1, arrived_unnamed = 1")
        let differences = try await story.verify().differences
        #expect(differences.map(\.table) == Array(repeating: "version_rollup", count: 3))
        #expect(differences.map(\.measure) == ["reportable", "arrived_named", "arrived_unnamed"])
        #expect(differences.map(\.counted) == [3, 2, 0])
        #expect(differences.map(\.recorded) == [4, 1, 1])
        #expect(differences.first?.part?.version == "ios 7.1.0")
        #expect(differences.first?.quarter == story.sentAt.startOfUTCDay)
    }

    @Test(
        "need a significant share of reports",
        arguments: [
            (0, 0, 0, false), (1, 1, 0, true), (3, 3, 0, true), (5, 1, 0, true), (20, 1, 0, false),
            (100_000, 1_000, 0, false), (100_000, 2_050, 0, false), (100_000, 2_200, 0, true),
            (1, 0, 1, true), (3, 0, 3, true), (5, 0, 1, false), (100, 0, 9, false), (100, 0, 30, true),
            (100_000, 0, 9_000, false), (100_000, 0, 11_000, true), (1_000, 15, 700, true),
        ] as [(Int64, Int64, Int64, Bool)])
    func evidence(reportable: Int64, named: Int64, unnamed: Int64, reports: Bool) async throws {
        let found = try await story.database.query(
            "SELECT landfall.version_reports($1, $2, $3), landfall.wilson_low($2, $1)",
            [.value(Double(reportable)), .value(Double(named)), .value(Double(unnamed))]
        ) { (try $0.get(0, as: Bool.self), try $0.get(1, as: Double.self)) }
        #expect(found.first?.0 == reports)
        let low = Proportion(named, of: reportable).interval?.lowerBound ?? 0
        #expect(abs((found.first?.1 ?? -1) - low) < 1e-8)
    }
}
