import DeliveryModel
import Foundation
import Ingestion
import PostgresClient
import Reports
import TestDatabase
import Testing

/// What device events say beside that they happened.
@Suite(.database) struct DeviceFactsTests {
    private let story = FactStory()

    private func id(_ number: Int) -> UUID {
        UUID(uuidString: "00000000-0000-4000-8000-00000000000\(number)") ?? UUID()
    }

    private func witness(_ evidence: DeviceReport.Evidence, _ id: UUID) -> Event {
        var report = DeviceReport(kind: .arrival)
        report.evidence = evidence
        report.occurredAt = story.sentAt + .hours(1)
        return Event(notificationID: id, sentAt: story.sentAt, content: .device(report))
    }

    private func click(
        _ id: UUID, _ state: DeviceReport.AppState?, action: String? = nil, hasText: Bool? = nil,
        category: String? = nil
    ) -> Event {
        var report = DeviceReport(kind: .click)
        report.facts.appState = state
        report.facts.action = action
        report.facts.hasText = hasText
        report.facts.category = category
        report.occurredAt = story.sentAt + .seconds(60)
        return Event(notificationID: id, sentAt: story.sentAt, content: .device(report))
    }

    private func facts() async throws -> [String] {
        try await story.database.query(
            """
            SELECT concat_ws(' ', right(notification_id::text, 1), coalesce(action, '-'), coalesce(app_state, '-'),
                             coalesce(has_text::text, '-'), coalesce(category, '-'), coalesce(arrived_kit, '-'),
                             coalesce(witness, '-'), coalesce(arrived_after_ms::text, '-'))
              FROM landfall.delivery ORDER BY notification_id
            """
        ) { try $0.get(0, as: String.self) }
    }

    @Test(
        "an arrival that the extension did not report confirms a notification, and is no arrival of the extension",
        arguments: [DeviceReport.Evidence.center, .app, .provider])
    func witnesses(evidence: DeviceReport.Evidence) async throws {
        try await story.post([story.response(id(1), 200), witness(evidence, id(1)), witness(.center, id(1))])
        let state = try await story.database.query("SELECT state FROM landfall.delivery") {
            DeliveryState(rawValue: try $0.get(0))
        }
        #expect(state == [[.attempted, .accepted, .canReport, .witnessed]])
        #expect(try await facts() == ["1 - - - - - \(evidence.rawValue) -"])
        let measures = try await story.database.query(
            """
            SELECT confirmed, arrived, confirmed_unreported, responded_reportable
              FROM landfall.counter_by_quarter CROSS JOIN LATERAL landfall.measures(state) WHERE notifications > 0
            """
        ) { row in try (0..<4).map { try row.get($0, as: Bool.self) } }
        #expect(measures == [[true, false, true, true]])
        // What a funnel requires of its numbers holds.
        let app = App(appID: firstApp, slug: "shop")
        let window = try ReportWindow(from: story.sentAt - .hours(1), to: story.sentAt + .hours(2))
        let funnel = try await story.database.pool.withConnection { connection in
            try FunnelReport.run(
                ReportQuery(app: app, window: window, timeZone: .utc), on: connection, now: .now)
        }
        #expect(funnel.totals[.confirmedUnreported] == 1 && funnel.totals[.arrived] == 0)
    }

    @Test("the extension's own arrival counts beside it, with its own time, whichever came first")
    func both() async throws {
        let arrival = story.report(.arrival, id(1), after: .seconds(2))
        for events in permutations([story.response(id(1), 200), witness(.center, id(1)), arrival]) {
            try await story.post(events)
            #expect(try await facts() == ["1 - - - - - centre 2000"])
            #expect(try await story.latencies().values.reduce(0, +) == 1)
            _ = try await story.database.query("DELETE FROM landfall.delivery") { _ in }
            _ = try await story.database.query("TRUNCATE landfall.counter_live, landfall.latency_rollup") {
                _ in
            }
        }
    }

    @Test("of another installation than the push's, it is misdirected, whichever is known first")
    func misdirected() async throws {
        try await story.register("aa11", appVersion: "7.1.0")
        let other = UUID()
        try await story.register("bb22", appVersion: "7.1.0", device: other)
        func stray(_ id: UUID) -> Event {
            var event = witness(.center, id)
            guard case .device(var report) = event.content else { return event }
            report.deviceID = other
            event.content = .device(report)
            return event
        }
        try await story.post([story.response(id(1), 200, to: "aa11"), stray(id(1))])
        try await story.post([stray(id(2)), story.response(id(2), 200, to: "aa11")])
        let states = try await story.database.query("SELECT state FROM landfall.delivery") {
            DeliveryState(rawValue: try $0.get(0))
        }
        #expect(states == Array(repeating: [.attempted, .accepted, .canReport, .misdirected], count: 2))
        let verification = try await story.database.pool.withConnection { try Verification.run(on: $0) }
        #expect(verification.differenceCount == 0)
    }

    @Test("a click keeps the state of the app, whether there was a text, and the category")
    func clicks() async throws {
        try await story.post([
            story.response(id(1), 200),
            click(id(1), .background, action: "reply", hasText: true, category: "chat"),
            click(id(1), .foreground, category: "order"), story.response(id(2), 200),
            click(id(2), .terminated),
            story.response(id(3), 200), click(id(3), nil), click(id(3), .foreground),
        ])
        #expect(
            try await facts() == [
                "1 reply background true chat - - -", "2 - terminated - - - - -", "3 - - - - - - -",
            ])
    }

    @Test("an arrival keeps the version of the device kit that reported it")
    func kit() async throws {
        var event = story.report(.arrival, id(1), after: .seconds(2))
        guard case .device(var report) = event.content else { return }
        report.kit = "0.1.0"
        event.content = .device(report)
        try await story.post([
            event, story.response(id(1), 200), story.report(.arrival, id(1), after: .seconds(1)),
        ])
        #expect(try await facts() == ["1 - - - - 0.1.0 - 2000"])
    }
}
