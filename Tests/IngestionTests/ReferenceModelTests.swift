import DeliveryModel
import Foundation
import Ingestion
import Logging
import PostgresClient
import Reports
import TestDatabase
import Testing
import Vault

/// Cases that random histories (see ModelTests) do not cover: many writers on few rows, and rows that the
/// database rejects.
@Suite(.database) struct ReferenceModelTests {
    private struct Reference {
        private var states: [NotificationName: DeliveryState] = [:]

        /// The expected verdict for the next event.
        mutating func verdict(for event: Event, _ taxonomy: RejectionTaxonomy) -> Verdict {
            var outcome: OutcomeClass?
            if case .response(let response) = event.content {
                outcome =
                    taxonomy.outcome(
                        provider: response.provider, status: response.status, reason: response.reason
                    ).outcomeClass
            }
            let before = states[event.name] ?? []
            let after = before.union(event.contribution(outcome: outcome))
            states[event.name] = after
            return before == after ? .duplicate : .accepted
        }

        var counts: MeasureCounts {
            states.values.reduce(into: MeasureCounts()) { $0.add(1, in: $1) }
        }

        func count(_ measure: UnmatchedMeasure) -> Int64 {
            states.values.reduce(0) { $0 + measure.value(of: $1) }
        }
    }

    private static let start = Instant(millisecondsSinceEpoch: 1_790_000_000_000)

    /// An event about one of a few notifications, so that collisions are the rule.
    private func event(_ random: inout SeededRandom) -> Event {
        let number = UInt8(random.next() % 40)
        var bytes = UUID().uuid
        withUnsafeMutableBytes(of: &bytes) { $0.copyBytes(from: [UInt8](repeating: number, count: 16)) }
        let sentAt = Self.start + .minutes(Int64(number) * 7)
        var event = Event(notificationID: UUID(uuid: bytes), sentAt: sentAt, content: content(&random))
        // The senders of every other notification do not tell their apps when it was sent.
        if number.isMultiple(of: 2), !event.isResponse { event.sentAt = nil }
        // Those of every third one tell them only roughly.
        if number.isMultiple(of: 3), !event.isResponse { event.sentAt = sentAt + .seconds(7) }
        return event
    }

    private func content(_ random: inout SeededRandom) -> Event.Content {
        switch random.next() % 8 {
        case 0: return .recall
        case 1...3:
            let (status, reason) = [
                (200, nil), (200, nil), (410, "Unregistered"), (429, "TooManyRequests"),
                (400, "BadDeviceToken"),
                (0, nil), (503, "Shutdown"),
            ][Int(random.next() % 7)]
            var response = ProviderResponse(provider: "apns", status: status)
            response.reason = reason
            response.mutableContent = random.next() % 4 != 0
            response.target = .token(
                TokenAddress(
                    provider: "apns", environment: .production, topic: "com.example.shop", kind: .alert,
                    value: String(repeating: "0", count: 63) + String(random.next() % 10)))
            return .response(response)
        default:
            var report = DeviceReport(kind: DeviceReport.Kind.allCases[Int(random.next() % 4)])
            report.isLocal = random.next() % 10 == 0
            report.occurredAt = Self.start
            return .device(report)
        }
    }

    @Test("events without a date count where the response says, once it says so")
    func redated() async throws {
        let database = TestDatabase.current
        let taxonomy = try await database.pool.withConnection { try RejectionTaxonomy(from: $0) }
        let writer = DeliveryWriter(
            pool: database.pool, vault: TokenVault(.random()), taxonomy: taxonomy,
            logger: Logger(label: "test"))
        let id = UUID()
        var click = DeviceReport(kind: .click)
        click.occurredAt = Self.start + .minutes(1)
        click.facts.action = "reply"
        let events = [
            Event(notificationID: id, sentAt: nil, content: .device(click)),
            Event(notificationID: id, sentAt: nil, content: .device(DeviceReport(kind: .arrival))),
            Event(
                notificationID: id, sentAt: Self.start,
                content: .response(ProviderResponse(provider: "apns", status: 200))),
            Event(notificationID: id, sentAt: nil, content: .device(DeviceReport(kind: .dismissal))),
            Event(notificationID: id, sentAt: nil, content: .device(click)),
        ]
        var verdicts: [Verdict] = []
        for event in events {
            verdicts += try await writer.write([
                BatchItem(appID: firstApp, text: [], poster: .server, content: .success(event))
            ])
        }
        #expect(verdicts.map(\.outcome) == [.accepted, .accepted, .accepted, .accepted, .duplicate])
        let rows = try await database.query(
            "SELECT sent_at, clicked_after_ms, action, state FROM landfall.delivery"
        ) { row -> String in
            let sentAt = try row.get(0, as: Instant.self).millisecondsSinceEpoch
            let state = DeliveryState(rawValue: try row.get(3))
            return try
                "\(sentAt) \(row.get(1, as: Int64.self)) \(row.get(2, as: String.self)) \(state.rawValue)"
        }
        let state: DeliveryState = [.attempted, .accepted, .canReport, .clicked, .arrived, .dismissed]
        #expect(rows == ["\(Self.start.millisecondsSinceEpoch) 60000 reply \(state.rawValue)"])
    }

    private func compare(_ reference: Reference, seed: UInt64) async throws {
        let database = TestDatabase.current
        let expected = reference.counts
        for measure in Measure.allCases {
            let recorded = try await database.count(
                "SELECT coalesce(sum(\(measure.rawValue)), 0)::bigint FROM public.counted")
            #expect(recorded == expected[measure], "\(measure.rawValue), seed \(seed)")
        }
        for measure in UnmatchedMeasure.allCases {
            let recorded = try await database.count(
                "SELECT coalesce(sum(\(measure.rawValue)), 0)::bigint FROM public.counted")
            #expect(recorded == reference.count(measure), "\(measure.rawValue), seed \(seed)")
        }
    }

    @Test("four concurrent writers on the same notifications count every one exactly once")
    func concurrentWriters() async throws {
        let database = TestDatabase.current
        let taxonomy = try await database.pool.withConnection { try RejectionTaxonomy(from: $0) }
        let key = TokenKey.random()
        var random = SeededRandom(seed: 99)
        let events = (0..<600).map { _ in event(&random) }
        let accepted = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<4 {
                let writer = DeliveryWriter(
                    pool: database.pool, vault: TokenVault(key), taxonomy: taxonomy,
                    firstShard: Int16(number),
                    logger: Logger(label: "test"))
                let order = events.shuffled(using: &random)
                group.addTask {
                    var accepted = 0
                    for start in stride(from: 0, to: order.count, by: 50) {
                        let batch = order[start..<start + 50]
                        let verdicts = try await writer.write(
                            batch.map {
                                BatchItem(appID: firstApp, text: [], poster: .server, content: .success($0))
                            })
                        accepted += verdicts.count { $0.outcome == .accepted }
                    }
                    return accepted
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(accepted > 0)
        var reference = Reference()
        for event in events { _ = reference.verdict(for: event, taxonomy) }
        try await compare(reference, seed: 99)
        let verification = try await database.pool.withConnection { try Verification.run(on: $0) }
        #expect(verification.differences == [])
    }

    @Test("a value that the database rejects is rejected alone; the items around it are recorded")
    func poisonousRow() async throws {
        let database = TestDatabase.current
        let taxonomy = try await database.pool.withConnection { try RejectionTaxonomy(from: $0) }
        try await database.execute(
            "ALTER TABLE landfall.delivery ADD CONSTRAINT poison CHECK (collapse_id <> 'poison')")
        let writer = DeliveryWriter(
            pool: database.pool, vault: TokenVault(.random()), taxonomy: taxonomy,
            logger: Logger(label: "test"))
        let items = (0..<9).map { number in
            var response = ProviderResponse(provider: "apns", status: 200)
            response.facts.collapseID = number == 5 ? "poison" : nil
            return BatchItem(
                appID: firstApp, text: [], poster: .server,
                content: .success(
                    Event(notificationID: UUID(), sentAt: Self.start, content: .response(response))))
        }
        let verdicts = try await writer.write(items)
        #expect(verdicts.count { $0.outcome == .accepted } == 8)
        guard case .rejected(let rejection) = verdicts[5].outcome else {
            Issue.record("the poisonous item was not rejected")
            return
        }
        #expect(rejection.code == .invalidField)
        #expect(try await database.count("SELECT count(*) FROM landfall.quarantined_item") == 1)
        #expect(try await database.count("SELECT sum(accepted)::bigint FROM public.counted") == 8)
    }
}

extension Event {
    fileprivate var isResponse: Bool {
        guard case .response = content else { return false }
        return true
    }
}
