import Access
import DeliveryModel
import Foundation
import Ingestion
import Logging
import Maintenance
import PostgresClient
import Simulation
import TestDatabase
import TokenLifecycle
import Vault

/// Days of simulated traffic in the running test's database. Each event is written at its own time, as by a
/// server, until the instant of the doctor's report.
struct SimulatedHistory {
    /// Sunday, 15 March 2026, 20:00 UTC: most of the reactions to the evening's campaign have arrived.
    static let end = Instant(millisecondsSinceEpoch: 1_773_604_800_000)

    let scenario: TrafficScenario
    var seed: UInt64 = 1
    var phones = 200
    /// The total for the ordinary scenario; the others have their own.
    var campaigns = 6
    /// By default two weeks and a day, so that the same hours of two weeks can be compared.
    var days = 15
    /// The hours after the end in which events are still posted.
    var lateHours = 0
    /// The span of events that are posted together.
    var slice = Span.hours(1)
    /// Whether device events name the version of the app.
    var namesVersions = true
    /// The percentage of the last day's events that one client spoils.
    var spoiledPercent = 0
    /// If `false`, counters stay as writers leave them until maintenance folds them.
    var isMaintained = true

    private let vault = TokenVault(.random())
    private var database: TestDatabase { .current }

    init(_ scenario: TrafficScenario) {
        self.scenario = scenario
    }

    /// A slice of traffic: once its registrations are written, its events may be written in any order.
    private struct Hour {
        let end: Instant
        var registrations: [SimulatedRegistration] = []
        var events: [[UInt8]] = []
    }

    /// Writes the traffic and returns its app, `shop`.
    func write(_ traffic: SimulatedTraffic? = nil) async throws -> App {
        let app = try await database.pool.withConnection {
            try AppDirectory($0).createApp(slug: "shop", at: start)
        }
        let taxonomy = try await database.pool.withConnection { try RejectionTaxonomy(from: $0) }
        let writer = DeliveryWriter(
            pool: database.pool, vault: vault, taxonomy: taxonomy, firstShard: 0,
            logger: Logger(label: "test")
        )
        for hour in hours(of: traffic ?? self.traffic) {
            try await register(hour, app)
            guard !hour.events.isEmpty else { continue }
            _ = try await writer.write(items(of: hour, app), now: hour.end)
        }
        guard isMaintained else { return app }
        try await database.pool.withConnection {
            _ = try Maintenance(MaintenanceSettings()).run(now: Self.end, on: $0)
        }
        return app
    }

    var start: Instant { Self.end - .days(Int64(days)) }

    var traffic: SimulatedTraffic {
        TrafficSimulation.generate(
            SimulationSettings(
                seed: seed, start: start.millisecondsSinceEpoch, hours: days * 24, installations: phones,
                campaigns: campaigns, lateEventHours: lateHours, reportsDeviceClock: false, scenario: scenario
            ))
    }

    private func hours(of traffic: SimulatedTraffic) -> [Hour] {
        let horizon = Self.end + .hours(Int64(lateHours))
        var hours: [Hour] = []
        for step in traffic.steps where step.at < horizon.millisecondsSinceEpoch {
            let position = (step.at - start.millisecondsSinceEpoch) / slice.milliseconds
            let end = start + Span(milliseconds: (position + 1) * slice.milliseconds - 1)
            if hours.last?.end != end { hours.append(Hour(end: end)) }
            switch step.action {
            case .register(let registration): hours[hours.count - 1].registrations.append(registration)
            case .event(let event): hours[hours.count - 1].events.append(event)
            }
        }
        return hours
    }

    private func items(of hour: Hour, _ app: App) -> [BatchItem] {
        let validator = EventValidator(appID: app.appID, poster: .server, now: hour.end)
        let isLastDay = Self.end - hour.end < .days(1)
        return hour.events.enumerated().map { position, event in
            let isSpoiled = isLastDay && position % 100 < spoiledPercent
            let text = isSpoiled ? event.dropLast(9) : namesVersions ? event[...] : Self.unnamed(event)[...]
            return BatchItem(appID: app.appID, text: text, poster: .server, content: validator.decode(text))
        }
    }

    /// The event without the version of the app.
    private static func unnamed(_ event: [UInt8]) -> [UInt8] {
        Array(String(decoding: event, as: UTF8.self).replacing(/"app_version":"[^"]*",?/, with: "").utf8)
    }

    // MARK: - Registrations

    /// The body of `PUT /v1/devices/{device_id}`, as the simulator writes it.
    private struct Body: Decodable {
        struct Token: Decodable {
            let value: String
            let environment: Environment.RawValue
            let topic: String
        }

        let tokens: [Token]
        let platform: String
        let permission: String
        let appVersion: String
        let osVersion: String
        let language: String
        let registeredAt: Int64
    }

    private func register(_ hour: Hour, _ app: App) async throws {
        let registrations = try hour.registrations.map(registration)
        guard !registrations.isEmpty else { return }
        try await database.pool.withTransaction { [vault] connection in
            for registration in registrations {
                _ = try DeviceRegistry(vault: vault).register(
                    registration, appID: app.appID, now: hour.end, on: connection)
            }
        }
    }

    private func registration(_ posted: SimulatedRegistration) throws -> Registration {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let body = try decoder.decode(Body.self, from: Data(posted.body))
        var registration = Registration(
            deviceID: posted.deviceID,
            registeredAt: Instant(millisecondsSinceEpoch: body.registeredAt))
        registration.platform = body.platform
        registration.permission = body.permission
        registration.appVersion = body.appVersion
        registration.osVersion = body.osVersion
        registration.language = body.language
        registration.tokens = body.tokens.compactMap { token in
            guard let environment = Environment(rawValue: token.environment),
                let value = try? TokenValue.read(token.value, issuer: TokenKind.alert.provider).get()
            else { return nil }
            return TokenAddress(
                provider: TokenKind.alert.provider, environment: environment, topic: token.topic,
                kind: .alert,
                value: value.canonical, text: value.text)
        }
        return registration
    }
}
