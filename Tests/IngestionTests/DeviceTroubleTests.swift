import DeliveryModel
import Foundation
import Ingestion
import PostgresClient
import Reports
import TestDatabase
import Testing
import TokenLifecycle

/// What devices say about their own trouble: runs that did not end well, events that they dropped, a missing
/// App Group, and clocks.
@Suite(.database) struct DeviceTroubleTests {
    private let story = FactStory()

    private func id(_ number: Int) -> UUID {
        UUID(uuidString: "00000000-0000-4000-8000-00000000000\(number)") ?? UUID()
    }

    private func arrival(_ id: UUID, _ change: (inout DeviceReport) -> Void) -> Event {
        var report = DeviceReport(kind: .arrival)
        report.occurredAt = story.sentAt + .seconds(2)
        report.appVersion = "7.1.0"
        report.kit = "0.1.0"
        change(&report)
        return Event(notificationID: id, sentAt: story.sentAt, content: .device(report))
    }

    private func outcomes() async throws -> [String] {
        try await story.database.query(
            """
            SELECT concat_ws(' ', right(notification_id::text, 1), coalesce(extension_outcome, '-'))
              FROM landfall.delivery ORDER BY notification_id
            """
        ) { try $0.get(0, as: String.self) }
    }

    /// Rows such as `dropped of 2: 3`: three events, from two devices.
    private func troubles() async throws -> [String] {
        try await story.database.query(
            """
            SELECT concat(trouble, ' of ', count(DISTINCT reporter_id), ': ', sum(events))
              FROM landfall.device_trouble GROUP BY trouble ORDER BY 1
            """
        ) { try $0.get(0, as: String.self) }
    }

    private func register(_ registration: Registration) async throws {
        try await story.database.pool.withTransaction { [vault = story.vault] connection in
            _ = try DeviceRegistry(vault: vault).register(
                registration, appID: firstApp, now: registration.registeredAt, on: connection)
        }
    }

    @Test("a run that did not end well keeps its outcome, whichever event came first")
    func outcome() async throws {
        let expired = arrival(id(1)) { $0.facts.extensionOutcome = .expired }
        for events in permutations([story.response(id(1), 200), expired, arrival(id(1)) { _ in }]) {
            try await story.post(events)
            #expect(try await outcomes() == ["1 expired"])
            _ = try await story.database.query("DELETE FROM landfall.delivery") { _ in }
            _ = try await story.database.query("TRUNCATE landfall.counter_live, landfall.latency_rollup") {
                _ in
            }
        }
    }

    @Test("the outcome that came first stays, and an event that only adds one is a duplicate")
    func first() async throws {
        let writer = try await story.writer()
        let events = [
            arrival(id(1)) { _ in }, arrival(id(1)) { $0.facts.extensionOutcome = .attachmentFailed },
            arrival(id(1)) { $0.facts.extensionOutcome = .expired },
        ]
        var accepted: [Bool] = []
        for event in events {
            accepted += try await writer.write([FactStory.item(event)]).map { $0.outcome == .accepted }
        }
        #expect(accepted == [true, false, false])
        #expect(try await outcomes() == ["1 attachment_failed"])
        #expect(try await story.verify().differenceCount == 0)
    }

    @Test("an event that moves to the day of its response keeps the outcome")
    func moved() async throws {
        var event = arrival(id(1)) { $0.facts.extensionOutcome = .expired }
        event.sentAt = nil
        try await story.post([event, story.response(id(1), 200)])
        let kept = try await story.database.query(
            "SELECT coalesce(extension_outcome, '-') FROM landfall.delivery WHERE state <> 0"
        ) { try $0.get(0, as: String.self) }
        #expect(kept == ["expired"])
    }

    /// Posts the responses to pushes, each to a token of its own.
    private func send(_ numbers: ClosedRange<Int>) async throws {
        try await story.post(numbers.map { story.response(id($0), 200, to: "a\($0)") })
    }

    @Test("trouble counts once, however often a device repeats its request")
    func once() async throws {
        try await story.register("a1", appVersion: "7.1.0")
        try await send(1...3)
        let troubled = arrival(id(1)) { report in
            report.droppedEvents = 3
            report.isUnshared = true
            report.isClockOff = true
        }
        try await story.post([troubled, troubled])
        let writer = try await story.writer()
        _ = try await writer.write([FactStory.item(troubled), FactStory.item(troubled)])
        #expect(try await troubles() == ["clock of 1: 1", "dropped of 1: 3", "unshared of 1: 1"])
        try await story.post([
            arrival(id(2)) { $0.droppedEvents = 4 }, arrival(id(3)) { $0.isUnshared = true },
        ])
        #expect(try await troubles() == ["clock of 1: 1", "dropped of 2: 7", "unshared of 2: 2"])
    }

    @Test("trouble counts only with a known push, which came to the device that reports it")
    func forged() async throws {
        let stranger = UUID()
        try await story.register("a1", appVersion: "7.1.0")
        try await story.register("b1", appVersion: "7.1.0", device: stranger)
        try await send(1...1)
        try await story.post([
            arrival(id(2)) { $0.droppedEvents = 100_000_000 },
            arrival(id(1)) {
                $0.droppedEvents = 100_000_000
                $0.deviceID = stranger
            },
        ])
        #expect(try await troubles() == [])
    }

    @Test("one device counts for 1,000 events at most")
    func mostEvents() async throws {
        try await send(1...2)
        try await story.post([arrival(id(1)) { $0.droppedEvents = .max }])
        var click = arrival(id(1)) { $0.droppedEvents = .max }
        if case .device(var report) = click.content {
            report.kind = .click
            click.content = .device(report)
        }
        let again = arrival(id(2)) { $0.droppedEvents = 1 }
        try await story.post([click, again])
        #expect(try await troubles() == ["dropped of 2: 1001"])
    }

    @Test("only the extension can lack the App Group, and only its arrivals tell of a clock")
    func others() async throws {
        try await send(1...1)
        try await story.post([
            arrival(id(1)) {
                $0.evidence = .center
                $0.isUnshared = true
                $0.isClockOff = true
            }
        ])
        #expect(try await troubles() == [])
    }

    @Test("an installation without a token counts once per UTC day")
    func registrationFailures() async throws {
        let noon = story.sentAt.startOfUTCDay + .hours(12)
        var registration = Registration(deviceID: UUID(), registeredAt: noon - .days(3))
        registration.platform = "ios"
        func failures() async throws -> Int64 {
            try await story.database.count("SELECT count(*) FROM landfall.registration_failure")
        }
        for (days, error, expected) in [
            (-3, "no network", 1), (-2, "no network", 2), (-2, "no valid aps-environment", 2), (-1, nil, 2),
            (0, "no network", 3),
        ] as [(Int, String?, Int64)] {
            registration.registeredAt = noon + .days(Int64(days)) + .seconds(expected)
            registration.error = error
            try await register(registration)
            #expect(try await failures() == expected)
        }
    }
}
