internal import ChildPrograms
internal import Foundation
internal import PostgresClient
internal import SQLFiles

/// Measures the server under more load than it can handle.
struct OverloadMeasurement {
    private let settings: OverloadSettings
    private let server: ServerProgram
    private let connection: PostgresConnection
    private let generator: LoadGenerator
    private var traffic: OverloadTraffic

    init(
        _ settings: OverloadSettings, _ notifications: [BenchNotification], server: ServerProgram,
        database: BenchDatabase
    ) throws {
        guard let port = server.port else { throw BenchProblem.noPort(address: server.address) }
        self.settings = settings
        self.server = server
        connection = try database.connection(to: .forServer)
        generator = LoadGenerator(port: port)
        traffic = OverloadTraffic(
            notifications, eventsPerRequest: settings.eventsPerRequest, key: database.key)
    }

    mutating func measure() throws -> OverloadFigures {
        note("measuring overload")
        try connection.execute(script: .Bench.checkpoint)
        let before = try RecordedEvents(on: connection)
        let capacity = try measureCapacity()
        server.resetPeakMemory()
        let usedBefore = Self.processorSeconds()
        let offered = settings.factor * capacity.requestsPerSecond
        let overload = try generator.run(
            .openLoop(OpenLoopSchedule(perSecond: offered, seconds: settings.seconds)),
            connections: settings.connections, &traffic)
        let generatorShare = (Self.processorSeconds() - usedBefore) / settings.seconds
        let serverPeakMemory = server.peakMemory
        let capacityBehind = try measureCapacity()
        try check(
            try RecordedEvents(on: connection) - before, overload,
            acceptedBesides: capacity.acceptedEvents + capacityBehind.acceptedEvents)
        return OverloadFigures(
            capacity: [capacity, capacityBehind], overload: overload, offeredPerSecond: offered,
            generatorShare: generatorShare, serverPeakMemory: serverPeakMemory)
    }

    private mutating func measureCapacity() throws -> LoadOutcome {
        let capacity = try generator.run(
            .closedLoop(seconds: settings.capacitySeconds), connections: settings.capacityConnections,
            &traffic)
        guard capacity.responded == capacity.sent, capacity.accepted == capacity.sent else {
            throw BenchProblem.requestsLost(
                figure: "capacity", rejected: capacity.rejected + capacity.otherwise,
                broken: capacity.broken + capacity.withoutResponse)
        }
        return capacity
    }

    /// Checks the server's figures against the database: no event may be missing, and none may be extra.
    private func check(
        _ recorded: RecordedEvents, _ overload: LoadOutcome, acceptedBesides: Int
    ) throws {
        let accepted = acceptedBesides + overload.acceptedEvents
        // Requests without a response may or may not have been recorded.
        let possible = accepted...(accepted + overload.unknownEvents)
        guard possible.contains(recorded.accepted), recorded.rejected == 0 else {
            throw BenchProblem.eventsLost(
                figure: "overload", expected: accepted, accepted: recorded.accepted,
                rejected: recorded.rejected)
        }
    }

    /// The processor time of this program on all cores, in user mode and in the kernel.
    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }
}
