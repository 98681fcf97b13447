import DeliveryModel
import Foundation
import Ingestion
import Instants
import PostgresClient
import Reports
import TestDatabase
import Testing
import TokenLifecycle

/// What devices say about their own trouble: runs that did not end well, events that they dropped, a missing App Group, and clocks.
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

    /// Such as `dropped 7.1.0 0.1.0: 3`.
    private func troubles() async throws -> [String] {
        try await story.database.query(
            """
            SELECT concat(trouble, ' ', app_version, ' ', kit, ': ', sum(events))
              FROM landfall.device_trouble GROUP BY trouble, app_version, kit ORDER BY 1
            """
        ) { try $0.get(0, as: String.self) }
    }

    /// Registers an installation with the version and the kit that the arrivals name.
    private func registerKit() async throws {
        var registration = Registration(deviceID: UUID(), registeredAt: story.sentAt - .days(1))
        registration.platform = "ios"
        registration.appVersion = "7.1.0"
        registration.kit = "0.1.0"
        try await register(registration)
    }

    private func register(_ registration: Registration) async throws {
        try await story.database.pool.withTransaction { [vault = story.vault] connection in
            _ = try DeviceRegistry(vault: vault).register(
                registration, appID: 1, now: registration.registeredAt, on: connection)
        }
    }

    @Test("a run that did not end well keeps its outcome, whichever event came first")
    func outcome() async throws {
        let expired = arrival(id(1)) { $0.extensionOutcome = .expired }
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
            arrival(id(1)) { _ in }, arrival(id(1)) { $0.extensionOutcome = .attachmentFailed },
            arrival(id(1)) { $0.extensionOutcome = .expired },
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
        var event = arrival(id(1)) { $0.extensionOutcome = .expired }
        event.sentAt = nil
        try await story.post([event, story.response(id(1), 200)])
        let kept = try await story.database.query(
            "SELECT coalesce(extension_outcome, '-') FROM landfall.delivery WHERE state <> 0"
        ) { try $0.get(0, as: String.self) }
        #expect(kept == ["expired"])
    }

    @Test("trouble counts once, however often a device repeats its request")
    func once() async throws {
        try await registerKit()
        let troubled = arrival(id(1)) { report in
            report.droppedEvents = 3
            report.isUnshared = true
            report.isClockOff = true
        }
        try await story.post([troubled, troubled, story.response(id(1), 200), troubled])
        let writer = try await story.writer()
        _ = try await writer.write([FactStory.item(troubled), FactStory.item(troubled)])
        #expect(
            try await troubles() == [
                "clock 7.1.0 0.1.0: 1", "dropped 7.1.0 0.1.0: 3", "unshared 7.1.0 0.1.0: 1",
            ])
        try await story.post([
            arrival(id(2)) { $0.droppedEvents = 4 }, arrival(id(3)) { $0.isUnshared = true },
        ])
        #expect(
            try await troubles() == [
                "clock 7.1.0 0.1.0: 1", "dropped 7.1.0 0.1.0: 7", "unshared 7.1.0 0.1.0: 2",
            ])
    }

    @Test("a version that no device has registered with this kit counts without its name")
    func forged() async throws {
        try await registerKit()
        try await story.post([
            arrival(id(1)) {
                $0.droppedEvents = 1
                $0.appVersion = "9.9.9"
            },
            arrival(id(2)) {
                $0.droppedEvents = 1
                $0.kit = "6.6.6"
            },
            arrival(id(3)) {
                $0.droppedEvents = 1
                $0.appVersion = nil
            },
        ])
        #expect(try await troubles() == ["dropped  : 3"])
    }

    @Test("only the extension can lack the App Group, and only its arrivals tell of a clock")
    func others() async throws {
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
