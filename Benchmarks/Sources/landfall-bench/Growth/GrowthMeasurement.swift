internal import Basics
internal import Foundation
internal import TokenLifecycle

/// The parts of the measurement, each in a new database.
struct GrowthMeasurement {
    let settings: GrowthBenchSettings
    let server: BenchServer

    /// No run takes this long: the limit only prevents a hanging server from blocking the benchmark
    /// indefinitely.
    private static let longestRun = 300

    /// Measures every kind and size, unknown tokens first, and then imports.
    func measureSizes(_ random: inout SeededRandom) async throws -> [GrowthBenchReport.Row] {
        var rows: [GrowthBenchReport.Row] = []
        for kind in GrowthKind.allCases {
            var costs: [Double] = []
            for size in settings.sizes { costs.append(try await measure(kind, size, &random)) }
            rows.append(.init(what: kind.rawValue, microseconds: costs))
        }
        note("measuring imports")
        var costs: [Double] = []
        for size in settings.sizes { costs.append(try await measureImport(of: size, &random)) }
        return rows + [.init(what: "imported lines, one process", microseconds: costs)]
    }

    /// Returns microseconds per item.
    private func measure(_ kind: GrowthKind, _ size: Int, _ random: inout SeededRandom) async throws -> Double
    {
        let requests = try (0..<settings.requests(of: size)).map { _ in
            let devices = try devices(size, areImported: kind.isRegistered, &random)
            return GrowthRequest(kind, to: devices, now: .now, &random)
        }
        let preparation = requests.flatMap(\.preparation)
        if !preparation.isEmpty {
            _ = try await post(
                PostedBody.bulk(preparation, size: 1_000), connections: 1, "\(kind.rawValue), before")
        }
        let bodies = requests.map { PostedBody(bulk: $0.items[...]) }
        return try await post(bodies, connections: 1, kind.rawValue) * 1_000_000
            / Double(size * requests.count)
    }

    /// Returns responses per second.
    func measureFirstContact(_ kind: GrowthKind, _ random: inout SeededRandom) async throws -> Double {
        let devices = try devices(settings.firstContact, areImported: kind.isRegistered, &random)
        let items = GrowthRequest(kind, to: devices, now: .now, &random).items
        let bodies = PostedBody.bulk(items, size: settings.sizes.last ?? 10_000)
        let seconds = try await post(bodies, connections: settings.firstContactConnections, kind.rawValue)
        return Double(items.count) / seconds
    }

    /// Measures the first registrations of all installations, by tenth.
    func measureReleaseDay(_ random: inout SeededRandom) async throws -> [GrowthBenchReport.Tenth] {
        var tenths: [GrowthBenchReport.Tenth] = []
        for _ in 0..<10 {
            let devices = (0..<settings.registrations / 10).map { _ in BenchDevice(now: .now, &random) }
            let requests = try RequestFile(
                registering: devices, key: server.database.key, at: server.requestsURL)
            let run = try await run(
                requests, connections: settings.registrationConnections, "registrations")
            try run.expect(requests: devices.count)
            let outcome = run.outcome
            tenths.append(
                .init(
                    perSecond: Double(devices.count) / outcome.seconds, p50: Double(outcome.p50) / 1_000,
                    p99: Double(outcome.p99) / 1_000))
        }
        return tenths
    }

    // MARK: - Steps

    private func devices(
        _ count: Int, areImported: Bool, _ random: inout SeededRandom
    ) throws -> [BenchDevice] {
        let devices = (0..<count).map { _ in BenchDevice(now: .now, &random) }
        if areImported { try importTable(of: devices) }
        return devices
    }

    private func importTable(of devices: [BenchDevice]) throws {
        var text = "value,topic,registered_at,device_id\n"
        for device in devices {
            text += "\(device.token),\(BenchDevice.topic),\(device.registeredAt.rfc3339),\(device.deviceID)\n"
        }
        var bytes: [UInt8]? = Array(text.utf8)
        let reader = try TokenImportReader(defaults: ImportDefaults(), now: .now) {
            defer { bytes = nil }
            return bytes ?? []
        }
        let database = server.database
        let connection = try database.connection(to: .forServer)
        _ = try TokenImport(appID: database.appID, vault: database.vault, on: connection).apply(
            reader, now: .now)
    }

    private func measureImport(of size: Int, _ random: inout SeededRandom) async throws -> Double {
        let tables = settings.requests(of: size)
        var elapsed = 0.0
        for _ in 0..<tables {
            let devices = (0..<size).map { _ in BenchDevice(now: .now, &random) }
            elapsed += try await measuring { try importTable(of: devices) }
        }
        return elapsed * 1_000_000 / Double(size * tables)
    }

    /// Posts the bodies and returns the seconds until the last response. Every event must be accepted.
    private func post(_ bodies: [PostedBody], connections: Int, _ name: String) async throws -> Double {
        let run = try await run(server.file(bodies), connections: connections, name)
        try run.expect(bodies.eventCount...bodies.eventCount)
        return run.outcome.seconds
    }

    private func run(_ requests: RequestFile, connections: Int, _ name: String) async throws -> ServerRun {
        let load = Wrk.Load(
            requests: requests, connections: connections, seconds: Self.longestRun, end: .whenResponded)
        return try await server.measure(load, name)
    }
}
