import DeliveryModel
import Foundation
import Ingestion
import PostgresClient
import Reports
import TestDatabase
import Testing

/// The counters behind the reports about rejections, latencies and extensions.
@Suite(.database) struct FactCountersTests {
    private let story = FactStory()

    @Test(
        "a rejected push counts under one response, the one that prevails",
        arguments: [
            (["429 TooManyRequests"], ["429 TooManyRequests"]),
            (["429 TooManyRequests", "200"], []),
            (["200", "410 Unregistered"], []),
            (["429 TooManyRequests", "410 Unregistered"], ["410 Unregistered"]),
            (["410 Unregistered", "429 TooManyRequests", "410 ExpiredToken"], ["410 Unregistered"]),
            (["503 Shutdown", "429 TooManyRequests", "400 BadDeviceToken", "200", "410 Unregistered"], []),
            (["0", "418 Teapot"], ["0"]),
        ])
    func responses(posted: [String], counted: [String]) async throws {
        let id = UUID()
        for text in posted {
            let words = text.split(separator: " ").map(String.init)
            try await story.post([
                story.response(id, Int(words[0]) ?? 0, words.count > 1 ? words[1] : nil)
            ])
        }
        #expect(try await story.rejections() == Dictionary(uniqueKeysWithValues: counted.map { ($0, 1) }))
        #expect(try await story.verify().differences == [])
    }

    @Test("a rejected push that a device saw counts as rejected, and its latencies do not count")
    func contradicted() async throws {
        try await story.register("aa11", appVersion: "7.0.0")
        let id = UUID()
        try await story.post([
            story.report(.arrival, id, after: .seconds(1)),
            story.response(id, 410, "Unregistered", to: "aa11"),
        ])
        #expect(try await story.rejections() == ["410 Unregistered": 1])
        #expect(try await story.latencies().isEmpty)
        #expect(try await story.versions().isEmpty)
        try await story.post([story.response(id, 200, to: "aa11")])
        #expect(try await story.rejections().isEmpty)
        #expect(try await story.latencies().count == 1)
        #expect(try await story.versions() == ["ios 7.0.0"])
        #expect(try await story.verify().differences == [])
    }

    @Test("a push that is throttled, accepted, reported and clicked counts the same in any order")
    func orders() async throws {
        let steps: [(UUID) -> Event] = [
            { [story] in story.response($0, 429, "TooManyRequests") }, { [story] in story.response($0, 200) },
            { [story] in story.report(.arrival, $0, after: Span(milliseconds: 1_234)) },
            { [story] in story.report(.click, $0, after: .seconds(61)) },
        ]
        for order in permutations(steps) {
            let id = UUID()
            try await story.post(order.map { $0(id) })
        }
        let orders = Int64(24)
        #expect(try await story.rejections().isEmpty)
        let latencies = try await story.latencies()
        #expect(latencies.values.sorted() == [orders, orders])
        #expect(latencies.keys.filter { $0.hasPrefix("arrival") }.count == 1)
        #expect(try await story.verify().differences == [])
    }

    @Test("events posted again, shuffled, in batches and by several writers, change nothing")
    func repeats() async throws {
        let statuses = [(200, nil), (410, "Unregistered"), (429, "TooManyRequests"), (200, nil)]
        var events: [Event] = []
        for number in 0..<40 {
            let id = UUID()
            let (status, reason) = statuses[number % 4]
            events.append(story.response(id, status, reason))
            if number.isMultiple(of: 8) { events.append(story.response(id, 200)) }
            events.append(story.report(.arrival, id, after: Span(milliseconds: Int64(number * number * 97))))
            if number.isMultiple(of: 3) { events.append(story.report(.click, id, after: .minutes(7))) }
        }
        try await story.post(events)
        let (rejections, latencies) = (try await story.rejections(), try await story.latencies())
        #expect(rejections == ["410 Unregistered": 10, "429 TooManyRequests": 10])
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
        #expect(try await story.rejections() == rejections)
        #expect(try await story.latencies() == latencies)
        #expect(try await story.verify().differences == [])
    }

    @Test("the first arrival's time is kept, whatever comes later")
    func firstTime() async throws {
        let (id, silent) = (UUID(), UUID())
        try await story.post([
            story.response(id, 200), story.report(.arrival, id, after: .seconds(100)),
            story.response(silent, 200), story.report(.arrival, silent, after: nil),
        ])
        // Batches in which an earlier arrival comes with something new.
        let writer = try await story.writer()
        for notification in [id, silent] {
            _ = try await writer.write(
                [
                    story.report(.arrival, notification, after: .seconds(1)),
                    story.report(.click, notification, after: .seconds(160)),
                ].map(FactStory.item))
        }
        #expect(
            try await story.latencies() == ["arrival \(bucket(100_000))": 1, "click \(bucket(60_000))": 1])
        #expect(try await story.verify().differences == [])
    }

    @Test("a negative latency counts as 0, and one of months as the last bucket")
    func extremes() async throws {
        let (early, late) = (UUID(), UUID())
        try await story.post([
            story.response(early, 200), story.report(.arrival, early, after: .seconds(-3)),
            story.report(.click, early, after: .seconds(-4)),
            story.response(late, 200), story.report(.arrival, late, after: .days(300)),
        ])
        let last = try await story.database.count(
            "SELECT from_ms FROM landfall.latency_bucket WHERE to_ms IS NULL")
        #expect(try await story.latencies() == ["arrival 0": 1, "click 0": 1, "arrival \(last)": 1])
        #expect(last >= Span.days(31).milliseconds)
        #expect(try await story.verify().differences == [])
    }

    @Test("latencies count from the time of sending, even if only the response states it")
    func moved() async throws {
        let id = UUID()
        try await story.post([
            story.report(.arrival, id, after: .seconds(5), isDated: false),
            story.report(.click, id, after: .seconds(65), isDated: false),
            story.response(id, 429, "TooManyRequests"), story.response(id, 200),
        ])
        #expect(try await story.latencies() == ["arrival \(bucket(5_000))": 1, "click \(bucket(60_000))": 1])
        #expect(try await story.rejections().isEmpty)
        #expect(try await story.verify().differences == [])
    }

    @Test("when a waiting response moves to its device, its rejection moves too")
    func waiting() async throws {
        let message = MessageStory()
        let (phone, id) = (UUID(), message.message(isDated: false))
        try await message.post(
            message.response(id, to: "aa11", status: 410), message.response(id, to: "bb22"),
            message.report(.arrival, id, by: phone))
        #expect(try await story.rejections() == ["410": 1])
        #expect(try await story.latencies().isEmpty)
        try await message.register(phone, "aa11", "bb22")
        #expect(try await story.rejections().isEmpty)
        #expect(try await story.latencies() == ["arrival \(bucket(9_000))": 1])
        #expect(try await story.versions().isEmpty)
        #expect(try await story.verify().differences == [])
    }

    @Test("an arrival without a known version is counted, and credits no version")
    func unknownVersion() async throws {
        let id = UUID()
        try await story.post([story.response(id, 200), story.report(.arrival, id, after: .seconds(2))])
        #expect(
            try await story.database.count(
                "SELECT sum(arrived_reportable)::bigint FROM public.counted") == 1)
        #expect(try await story.versions().isEmpty)
        #expect(try await story.verify().differences == [])
    }

    @Test(
        "each bucket's geometric mean is at most 5 % off, buckets do not overlap, and the function finds them"
    )
    func buckets() async throws {
        let buckets = try await story.database.query(
            """
            SELECT bucket::bigint, from_ms, coalesce(to_ms, -1), landfall.latency_bucket_of(from_ms)::bigint,
                   coalesce(landfall.latency_bucket_of(to_ms - 1), bucket)::bigint
              FROM landfall.latency_bucket ORDER BY bucket
            """
        ) { row in try (0..<5).map { try row.get($0, as: Int64.self) } }
        #expect(buckets.count > 100)
        for (position, bucket) in buckets.enumerated() {
            #expect(bucket[0] == Int64(position))
            #expect(bucket[3] == bucket[0])
            #expect(bucket[4] == bucket[0])
            guard bucket[2] > 0, bucket[1] > 0 else { continue }
            #expect(bucket[2] == buckets[position + 1][1])
            let mean = (Double(bucket[1]) * Double(bucket[2] - 1)).squareRoot()
            #expect(mean / Double(bucket[1]) <= 1.05)
            #expect(Double(bucket[2] - 1) / mean <= 1.05)
        }
    }

    /// The lower bound of the bucket that holds this many milliseconds, by the definition.
    private func bucket(_ milliseconds: Int64) -> Int64 {
        var from: Int64 = 1
        while from * 11 / 10 + 1 <= milliseconds { from = from * 11 / 10 + 1 }
        return from
    }
}
