internal import ChildPrograms
internal import Foundation
internal import Instants
internal import People
internal import PostgresClient

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Opens pages of the console in a server on the bench's database, as a person who is signed in does.
struct PageMeasurement {
    let database: BenchDatabase
    let folder: URL
    let repetitions: Int

    private static let pages = [
        "", "/doctor", "/campaigns", "/campaigns/campaign-20", "/sweep",
    ]

    private static let reports = [
        "/funnel", "/funnel?by=day", "/funnel?by=campaign", "/clicks?by=campaign", "/reach", "/loss",
        "/rejections", "/latency", "/extension", "/tokens",
    ]

    /// Pages of reports get the window from one instant to another; the others have their own.
    func measure(from: Instant, to: Instant) async throws -> [ReportsStage.Measured] {
        let server = try await ServerProgram.start(
            ServerProgram.executable(), dataFolder: folder,
            // Nothing is written that has to last.
            variables: ["LANDFALL_DATABASE_ALLOW_UNSAFE": "true"])
        return try await ending({ server.stop() }) {
            let link = try PeopleDirectory.ownerLink(now: .now, on: database.connection(to: .forServer))
            let configuration = URLSessionConfiguration.ephemeral
            configuration.timeoutIntervalForRequest = 120
            let session = URLSession(configuration: configuration)
            defer { session.finishTasksAndInvalidate() }
            try await open(server.address + link.path, in: session)
            var measured: [ReportsStage.Measured] = []
            let window = "from=\(from.rfc3339)&to=\(to.rfc3339)"
            let reports = Self.reports.map { ($0, "\($0)\($0.contains("?") ? "&" : "?")\(window)") }
            for (page, path) in (Self.pages + ["/tokens/status"]).map({ ($0, $0) }) + reports {
                let time = try await milliseconds(server.address + "/apps/bench" + path, in: session)
                measured.append(
                    .init(
                        title: "page \(page.isEmpty ? "of the app" : page)", goal: .page, milliseconds: time))
            }
            return measured
        }
    }

    /// The median, after one request that is not timed. A server keeps a page for two seconds, so each request asks for another one.
    private func milliseconds(_ address: String, in session: URLSession) async throws -> Double {
        try await open(address, in: session)
        var times: [Double] = []
        for repetition in 0..<repetitions {
            let other = "\(address.contains("?") ? "&" : "?")tz=Etc/GMT%2B\(repetition % 12)"
            let start = ContinuousClock.now
            try await open(address + other, in: session)
            times.append((ContinuousClock.now - start) / .milliseconds(1))
        }
        return times.median ?? 0
    }

    private func open(_ address: String, in session: URLSession) async throws {
        guard let url = URL(string: address) else {
            throw BenchProblem.unexpectedPage(address: address, status: 0)
        }
        let (_, response) = try await session.data(from: url)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard status == 200, !(response.url?.path ?? "").hasPrefix("/sign-in") else {
            throw BenchProblem.unexpectedPage(address: address, status: status)
        }
    }
}
