import Access
import Foundation
import Hummingbird
import HummingbirdTesting
import PostgresClient
import Reports
import Simulation
import TestDatabase
import Testing

/// A client in doubt repeats what it posted, in any order and packing: the numbers must not change by one.
@Suite(.database) struct ReplayTests {
    private static let start = Instant(
        millisecondsSinceEpoch: (Instant.now - .days(3)).millisecondsSinceEpoch / 3_600_000 * 3_600_000)

    private let traffic = TrafficSimulation.generate(
        SimulationSettings(
            seed: 7, start: Self.start.millisecondsSinceEpoch, hours: 24, installations: 300, campaigns: 6,
            reportsDeviceClock: false))

    private func shuffledEvents(seed: UInt64) -> [[UInt8]] {
        var order = SeededRandom(seed: seed)
        return traffic.events.shuffled(using: &order)
    }

    private func register(_ server: TestServer) async throws {
        for registration in traffic.registrations {
            let response = try await server.put(
                registration.deviceID, String(decoding: registration.body, as: UTF8.self), as: .server)
            #expect(response.status == 200)
        }
    }

    /// Posts the events in batches of the size, as an array or as lines, packed or not, and returns the sums
    /// of the verdicts.
    private func post(
        _ events: [[UInt8]], batchesOf size: Int, asLines: Bool, packed: Bool, to server: TestServer
    ) async throws -> [Int] {
        var sums = [0, 0, 0]
        for start in stride(from: 0, to: events.count, by: size) {
            let batch = events[start..<min(start + size, events.count)]
            var body =
                asLines
                ? Array(batch.joined(separator: [0x0A]))
                : [0x5B] + Array(batch.joined(separator: [0x2C])) + [0x5D]
            var headers: HTTPFields = [.contentType: asLines ? "application/x-ndjson" : "application/json"]
            if packed {
                body = try Gzip.packed(body)
                headers[.contentEncoding] = "gzip"
            }
            let response = try await server.post(body, headers: headers)
            #expect(response.status == 200)
            for (position, count) in response.counts.enumerated() { sums[position] += count }
        }
        return sums
    }

    @Test("posted twice, shuffled, split differently and gzipped, events do not change the reports by one")
    func replay() async throws {
        try await TestServer.run { server async throws in
            try await register(server)
            let first = try await post(
                traffic.events, batchesOf: 500, asLines: true, packed: false, to: server)
            #expect(first[2] == 0)
            #expect(first[0] + first[1] == traffic.events.count)
            let reports = try await documents(of: server.app, from: Self.start)

            for (seed, size, asLines, packed) in [
                (1, 500, true, true), (2, 37, false, false), (3, 10_000, false, true),
            ] as [(UInt64, Int, Bool, Bool)] {
                let again = try await post(
                    shuffledEvents(seed: seed), batchesOf: size, asLines: asLines, packed: packed, to: server)
                #expect(again == [0, traffic.events.count, 0])
                try await expectSame(documents(of: server.app, from: Self.start), reports)
            }

            // Another app that gets the same events in another order from the start has the same reports.
            let (other, keys) = try await TestServer.makeApp("other")
            let elsewhere = server.with(keys: keys, app: other)
            try await register(elsewhere)
            let shuffled = try await post(
                shuffledEvents(seed: 4), batchesOf: 211, asLines: false, packed: false, to: elsewhere)
            // All devices are registered before anything is posted, so a token may by then belong to another
            // installation than its push went to. Whether a second misdirected event adds anything depends on
            // whether the response came before it.
            #expect(shuffled[0] + shuffled[1] == traffic.events.count)
            #expect(shuffled[2] == 0)
            try await expectSame(documents(of: other, from: Self.start), reports)
        }
        let verification = try await TestDatabase.current.pool.withConnection { try Verification.run(on: $0) }
        #expect(verification.differenceCount == 0)
        #expect(verification.notifications > 1_000)
    }
}

/// The gzip program: the server must not be tested only with its own library.
enum Gzip {
    static func packed(_ bytes: [UInt8]) throws -> [UInt8] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json")
        defer { try? FileManager.default.removeItem(at: file.appendingPathExtension("gz")) }
        try Data(bytes).write(to: file)
        let gzip = Process()
        gzip.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        gzip.arguments = ["gzip", "-f", file.path]
        try gzip.run()
        gzip.waitUntilExit()
        return try Array(Data(contentsOf: file.appendingPathExtension("gz")))
    }
}
