import DeliveryModel
import Foundation
import PostgresClient
import Reports
import TestDatabase
import Testing

@testable import Ingestion

/// The sender's time of sending is the truth; the time inside a version 7 id is only a substitute.
@Suite(.database) struct SendTimeTests {
    private let story = FactStory()
    private var database: TestDatabase { story.database }

    /// A version 7 id made this long before the push was sent.
    private func id(made span: Span) -> UUID {
        let time = String(format: "%012llx", (story.sentAt - span).millisecondsSinceEpoch)
        let random = UUID().uuidString.suffix(21)
        let id = UUID(uuidString: "\(time.prefix(8))-\(time.suffix(4))-7\(random)")
        guard let id else { preconditionFailure("36 characters make an id") }
        return id
    }

    /// - Parameter isStated: whether the response states when the push was sent.
    private func response(_ id: UUID, isStated: Bool = true, to token: String? = nil) -> Event {
        var event = story.response(id, 200, to: token)
        if !isStated { event.sentAt = nil }
        return event
    }

    /// A device knows the id and the time, not when the push was sent.
    private func report(_ kind: DeviceReport.Kind, _ id: UUID, after span: Span) -> Event {
        story.report(kind, id, after: span, isDated: false)
    }

    /// The counts of attempted and unmatched by quarter hour, without zeros.
    private func counted() async throws -> [String: Int64] {
        let rows = try await database.query(
            """
            SELECT 'attempted ' || (extract(EPOCH FROM quarter)::bigint), sum(attempted)::bigint
              FROM public.counted GROUP BY 1 HAVING sum(attempted) <> 0
            UNION ALL
            SELECT 'unmatched ' || (extract(EPOCH FROM quarter)::bigint), sum(notifications)::bigint
              FROM landfall.headline_by_quarter WHERE campaign_id = 0 GROUP BY 1 HAVING sum(notifications) <> 0
            """
        ) { (try $0.get(0, as: String.self), try $0.get(1, as: Int64.self)) }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    private func texts(_ query: String) async throws -> [String] {
        try await database.query(query) { try $0.get(0, as: String.self) }
    }

    private func quarter(_ instant: Instant) -> Int64 {
        instant.startOfQuarter.millisecondsSinceEpoch / 1_000
    }

    @Test(
        "cohort and latency are those of sent_at, whatever comes first, alone or in one batch",
        arguments: [
            Span.days(3), .hours(1), .minutes(15), Span(milliseconds: 1_500), Span(milliseconds: -2_000),
        ])
    func everyOrder(made: Span) async throws {
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
        for order in orders {
            for isTogether in [false, true] {
                let id = id(made: made)
                let events = [
                    response(id), report(.arrival, id, after: Span(milliseconds: 1_200)),
                    report(.click, id, after: Span(milliseconds: 4_000)),
                ]
                let posted = order.map { events[$0] }
                if isTogether {
                    _ = try await story.writer().write(posted.map(FactStory.item))
                } else {
                    try await story.post(posted)
                }
                // Repeating changes nothing.
                let verdicts = try await story.writer().write(posted.map(FactStory.item)).map(\.outcome)
                #expect(verdicts == [.duplicate, .duplicate, .duplicate])
            }
        }
        #expect(try await counted() == ["attempted \(quarter(story.sentAt))": 12])
        let latencies = try await story.latencies()
        #expect(latencies == ["arrival 1165": 12, "click 2755": 12], "\(latencies)")
        try await verify()
    }

    @Test("events before the response are unmatched where the id says, and move")
    func unmatchedFirst() async throws {
        let id = id(made: .hours(5))
        try await story.post([report(.click, id, after: .seconds(9))])
        #expect(try await counted() == ["unmatched \(quarter(story.sentAt - .hours(5)))": 1])
        try await story.post([response(id)])
        #expect(try await counted() == ["attempted \(quarter(story.sentAt))": 1])
        try await verify()
    }

    @Test("the first response decides, even by leaving the time to the id")
    func firstDecides() async throws {
        let left = id(made: .hours(5))
        try await story.post([response(left, isStated: false), response(left)])
        #expect(try await counted() == ["attempted \(quarter(story.sentAt - .hours(5)))": 1])
        let said = id(made: .hours(6))
        try await story.post([
            response(said), response(said, isStated: false), report(.arrival, said, after: .seconds(1)),
        ])
        #expect(try await counted()["attempted \(quarter(story.sentAt))"] == 1)
        #expect(try await counted()["unmatched \(quarter(story.sentAt - .hours(6)))"] == nil)
        try await verify()
    }

    @Test("a token registered between the creation of the id and the push is retired by its 410")
    func tokens() async throws {
        try await story.register("aa11", appVersion: "7.0")
        let id = id(made: .days(30))
        var event = story.response(id, 410, "Unregistered", to: "aa11")
        event.sentAt = story.sentAt
        try await story.post([event])
        #expect(
            try await database.query("SELECT state || '/' || cause FROM landfall.token") {
                try $0.get(0, as: String.self)
            } == ["retired/unregistered"])
    }

    @Test(
        "a message planned long ago counts when it was sent, even if its response waits for a registration")
    func messages() async throws {
        let story = MessageStory()
        let message = id(made: .days(20))
        let (early, late) = (UUID(), UUID())
        try await story.register(early)
        for device in [early, late] {
            var response = story.response(message, to: MessageStory.token(device))
            response.sentAt = self.story.sentAt
            try await story.post(response)
            try await story.post(response)
            try await story.post(story.report(.arrival, message, by: device))
        }
        #expect(try await counted()["attempted \(quarter(self.story.sentAt))"] == 2)
        try await story.register(late)
        try await story.post(story.report(.click, message, by: late))
        #expect(try await counted() == ["attempted \(quarter(self.story.sentAt))": 2])
        #expect(try await story.counts()["clicked"] == 1)
        #expect(try await story.counts()["arrived"] == 2)
        try await verify()
    }

    /// Drops a day as maintenance does.
    private func drop(_ day: Instant) async throws {
        try await database.execute("SELECT landfall.drop_delivery_partition('\(day.rfc3339)'::date)")
    }

    @Test(
        "events about a notification that was dropped with its day are too old; the rest of their batch is recorded"
    )
    func dropped() async throws {
        let id = id(made: .days(-1))
        var stated = response(id)
        stated.sentAt = story.sentAt - .days(9)
        try await story.post([stated, report(.arrival, id, after: .seconds(1))])
        try await drop(story.sentAt - .days(9))
        let (other, click) = (UUID(), report(.click, id, after: .seconds(2)))
        for outcome in [Verdict.Outcome.accepted, .duplicate] {
            let verdicts = try await story.writer()
                .write([response(other), click, response(id, isStated: false)].map(FactStory.item)).map(
                    \.outcome)
            #expect(verdicts[0] == outcome)
            for verdict in verdicts.dropFirst() {
                guard case .rejected(let rejection) = verdict else {
                    Issue.record("\(verdict)")
                    continue
                }
                #expect(rejection.code == .tooOld)
            }
        }
        try await verify()
    }

    @Test("a message whose id was made on a day that has since been dropped still finds its device")
    func droppedPlan() async throws {
        let story = MessageStory()
        let (message, device) = (id(made: .days(9)), UUID())
        var response = story.response(message, to: MessageStory.token(device))
        response.sentAt = self.story.sentAt
        try await story.post(response)
        try await drop(self.story.sentAt - .days(9))
        try await story.register(device)
        #expect(try await counted() == ["attempted \(quarter(self.story.sentAt))": 1])
        #expect(
            try await database.count(
                "SELECT count(*) FROM landfall.delivery WHERE installation_id IS NOT NULL") == 1)
        try await verify()
    }

    @Test("a response without the time of sending is judged by that of the first one")
    func laterWords() async throws {
        let id = id(made: .minutes(1))
        try await story.post([response(id, to: "aa11")])
        try await story.register("aa11", appVersion: "7.0", at: story.sentAt - .seconds(30))
        var final = story.response(id, 410, "Unregistered", to: "aa11")
        final.sentAt = nil
        guard case .response(var words) = final.content else { return }
        words.isFinal = true
        final.content = .response(words)
        try await story.post([final])
        #expect(try await texts("SELECT state FROM landfall.token") == ["retired"])
    }

    @Test("a token that a response discovers is dated by the push, even if only the id states its time")
    func discovery() async throws {
        try await story.post([response(id(made: .days(40)), isStated: false, to: "aa11")])
        #expect(
            try await database.count(
                "SELECT count(*) FROM landfall.token_transition WHERE landfall.transition_time(rule, evidence, at) < now() - interval '39 days'"
            )
                == 1)
    }

    @Test("many concurrent writers on planned ids count everything once")
    func concurrently() async throws {
        let ids = (0..<40).map { id(made: .minutes(15 * Int64($0 % 4))) }
        let writers = try await [story.writer(shard: 0), story.writer(shard: 1), story.writer(shard: 2)]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, writer) in writers.enumerated() {
                let events = ids.shuffled().flatMap { id in
                    [
                        response(id), report(.arrival, id, after: .seconds(1)),
                        report(.click, id, after: .seconds(2)),
                    ]
                    .shuffled()
                }
                group.addTask {
                    for start in stride(from: 0, to: events.count, by: 7) {
                        let batch = events[start..<min(start + 7, events.count)]
                        _ = try await writer.write(batch.map(FactStory.item), writer: number)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await counted() == ["attempted \(quarter(story.sentAt))": 40])
        #expect(
            try await database.count("SELECT sum(clicked)::bigint FROM public.counted") == 40)
        try await verify()
    }

    @Test("a final rejection removes the acceptance from the counters, and counts under its own response")
    func final() async throws {
        let id = UUID()
        var correction = story.response(id, 410, "Unregistered", to: "aa11")
        guard case .response(var response) = correction.content else { return }
        response.isFinal = true
        correction.content = .response(response)
        let accepted = story.response(id, 200, to: "aa11")
        try await story.post([accepted, report(.arrival, id, after: .seconds(1)), correction, accepted])
        #expect(try await story.rejections() == ["410 Unregistered": 1])
        #expect(try await story.latencies() == [:])
        #expect(try await database.count("SELECT sum(accepted)::bigint FROM public.counted") == 0)
        #expect(
            try await database.count("SELECT sum(contradicted)::bigint FROM public.counted") == 1)
        try await verify()
    }

    @Test("arrivals timed by receipt are counted as such, alongside the others")
    func byReceipt() async throws {
        let ids = (UUID(), UUID())
        var report = DeviceReport(kind: .arrival)
        report.occurredAt = story.sentAt + .minutes(10)
        report.isTimedByReceipt = true
        try await story.post([
            response(ids.0), response(ids.1), self.report(.arrival, ids.0, after: .seconds(1)),
            Event(notificationID: ids.1, sentAt: nil, content: .device(report)),
            self.report(.click, ids.1, after: .minutes(11)),
            // A later event about a known fact changes nothing.
            self.report(.arrival, ids.1, after: .seconds(1)),
        ])
        let latencies = try await story.latencies()
        #expect(latencies.filter { $0.key.hasPrefix("arrival ") }.values.reduce(0, +) == 2)
        #expect(latencies.filter { $0.key.hasPrefix("arrival_by_receipt ") }.values.reduce(0, +) == 1)
        #expect(latencies.filter { $0.key.hasPrefix("click_by_receipt ") }.values.reduce(0, +) == 1)
        try await verify()
    }

    @Test("senders are warned of unregistered tokens, of other topics and of unlisted reasons")
    func warnings() async throws {
        try await story.register("aa11", appVersion: "7.0")
        let writer = try await story.writer()
        func warnings(_ status: Int, _ reason: String?, _ token: String, topic: String) async throws
            -> ItemWarnings
        {
            var event = story.response(UUID(), status, reason, to: token)
            guard case .response(var response) = event.content else { return [] }
            response.topic = topic
            if case .token(var address) = response.target {
                address.topic = topic
                response.target = .token(address)
            }
            event.content = .response(response)
            return try await writer.write([FactStory.item(event)])[0].warnings
        }
        let topic = "com.example.shop"
        #expect(try await warnings(200, nil, "aa11", topic: topic) == [])
        #expect(try await warnings(200, nil, "aa11", topic: "com.example.other") == .otherTopic)
        #expect(try await warnings(200, nil, "aa11", topic: "com.example.other") == .otherTopic)
        #expect(try await warnings(200, nil, "bb22", topic: topic) == .unregisteredToken)
        #expect(try await warnings(400, "Teapot", "aa11", topic: topic) == .unlistedReason(as: .requestError))
        #expect(try await warnings(400, "BadDeviceToken", "aa11", topic: topic) == [])
    }

    @Test(
        "warnings name ten of many unregistered tokens, none that apps cannot register, and each one under another address"
    )
    func restrainedWarnings() async throws {
        try await story.register("aa11", appVersion: "7.0")
        let writer = try await story.writer()
        func posted(_ address: TokenAddress) -> Event {
            var event = story.response(UUID(), 200)
            guard case .response(var response) = event.content else { return event }
            (response.provider, response.target) = (address.provider, .token(address))
            event.content = .response(response)
            return event
        }
        var elsewhere = FactStory.address("aa11")
        elsewhere.topic = "com.example.other"
        let strangers = (10..<22).map { FactStory.address("bb\($0)") }
        let verdicts = try await writer.write((strangers + [elsewhere]).map { FactStory.item(posted($0)) })
        #expect(verdicts.filter { $0.warnings == .unregisteredToken }.count == 10)
        #expect(verdicts.last?.warnings == .otherTopic)
        let own = TokenAddress(
            provider: "acme", environment: .production, topic: "", kind: .alert, value: "IQAAAA")
        var voip = FactStory.address("aa11")
        voip.kind = .voip
        let told = try await writer.write([own, voip].map { FactStory.item(posted($0)) }).map(\.warnings)
        #expect(told == [[], .otherTopic])
    }

    @Test("only a class about tokens changes one")
    func verdicts() async throws {
        let rows = try await texts(
            """
            SELECT concat_ws(' ', provider, status, reason) FROM landfall.provider_reason
             WHERE token_verdict <> 'keep' AND outcome_class NOT IN ('token_dead', 'token_suspect')
            """)
        #expect(rows == [])
        let configured = try await texts(
            "SELECT reason FROM landfall.provider_reason WHERE token_verdict <> 'keep' AND reason IN ('send control', 'user id mismatch')"
        )
        #expect(configured == [])
    }

    @Test(
        "configuration errors change no token, however many there are",
        arguments: [
            ("apns", 400, "DeviceTokenNotForTopic"), ("fcm", 403, "SENDER_ID_MISMATCH"),
            ("webpush_apple", 403, "VapidPkHashMismatch"),
        ])
    func configuration(provider: String, status: Int, reason: String) async throws {
        let taxonomy = try await database.pool.withConnection { try RejectionTaxonomy(from: $0) }
        let outcome = taxonomy.outcome(provider: provider, status: status, reason: reason)
        #expect(outcome.tokenVerdict == .keep && outcome.isListed)
    }

    @Test("SQL and Swift know the same responses")
    func listed() async throws {
        let taxonomy = try await database.pool.withConnection { try RejectionTaxonomy(from: $0) }
        try await database.createFunction(
            """
            public.listed_response(text, integer, text)
            RETURNS TABLE (retryable text, token_verdict text, is_listed boolean)
            """, part: "listed_response", of: "reports/names")
        let rows = try await database.query(
            """
            SELECT provider, status, reason,
                   coalesce((SELECT is_listed FROM public.listed_response(provider, status, reason)), false),
                   coalesce((SELECT token_verdict FROM public.listed_response(provider, status, reason)), 'keep')
              FROM (SELECT DISTINCT provider, reason FROM landfall.provider_reason WHERE reason <> '*'
                    UNION
                    SELECT DISTINCT provider, word
                      FROM landfall.provider_reason
                     CROSS JOIN (VALUES ('Teapot'), ('NOT_FOUND'), ('unregistered'), ('Unregistered')) AS other (word)) AS said
             CROSS JOIN unnest(ARRAY[0, 2, 200, 204, 301, 400, 401, 403, 404, 410, 413, 418, 429, 500, 599]) AS status
            """
        ) {
            (
                try $0.get(0, as: String.self), try $0.get(1, as: Int32.self), try $0.get(2, as: String.self),
                try $0.get(3, as: Bool.self), try $0.get(4, as: String.self)
            )
        }
        #expect(rows.count > 10_000)
        for (provider, status, reason, isListed, verdict) in rows {
            let outcome = taxonomy.outcome(
                provider: provider, status: Int(status), reason: reason.isEmpty ? nil : reason)
            #expect(
                outcome.isListed == isListed && outcome.tokenVerdict.rawValue == verdict,
                "\(provider) \(status) \(reason)")
        }
        #expect(
            Set(rows.map(\.0)).isSubset(of: Provider.known), "a sender can name every provider of the list")
    }

    private func verify() async throws {
        let verification = try await database.pool.withConnection { try Verification.run(on: $0) }
        #expect(verification.differences.isEmpty, "\(verification.differences)")
    }
}
