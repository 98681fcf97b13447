internal import ChildPrograms
internal import Foundation
internal import People
internal import PostgresClient

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Opens pages of the console in a server on the bench's database, as a person who is signed in does.
struct PageMeasurement {
    let database: BenchDatabase
    let repetitions: Int

    private static let pages = [
        "/doctor", "/sweep", "/tokens/status", "", "/campaigns", "/campaigns/campaign-20", "/reach",
    ]

    private static let reports = [
        "/funnel", "/funnel?by=day", "/funnel?by=campaign", "/clicks?by=campaign", "/loss",
        "/rejections", "/latency", "/extension", "/tokens",
    ]

    /// Pages of reports get the window from one instant to another; the others have their own.
    func measure(from: Instant, to: Instant) async throws -> [ReportsStage.Measured] {
        let server = try await ServerProgram.start(
            ServerProgram.executable(), dataFolder: database.folder,
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
            for page in Self.pages {
                let name = "page \(page.isEmpty ? "of the app" : page)"
                measured += try await again(name, server.address + "/apps/bench" + page, in: session)
            }
            for (page, path) in reports {
                let time = try await computed(server.address + "/apps/bench" + path, in: session)
                measured.append(.init(title: "page \(page)", goal: .page, milliseconds: time))
            }
            return measured
        }
    }

    /// The time for a page with parts that take long: when they have to be read again, and until the first
    /// ones are there.
    private func again(
        _ name: String, _ address: String, in session: URLSession
    ) async throws -> [ReportsStage.Measured] {
        let first = try await numbers(address, in: session)
        var times: [Double] = []
        for _ in 0..<2 {
            // A server keeps such parts ten times as long as they took, and two seconds at least.
            try await Task.sleep(for: .milliseconds(min(61_000, first * 10 + 3_000)))
            times.append(try await open(address, in: session).milliseconds)
            _ = try await numbers(address, in: session)
        }
        return [
            .init(title: name, goal: .page, milliseconds: times.median ?? 0),
            .init(title: "\(name), first numbers", goal: .none, milliseconds: first),
        ]
    }

    /// The median, after one request that is not timed. A server keeps a page for a while, so each request
    /// asks for another one.
    private func computed(_ address: String, in session: URLSession) async throws -> Double {
        _ = try await numbers(address, in: session)
        var times: [Double] = []
        for hours in 0..<repetitions {
            let zone = "\(address.contains("?") ? "&" : "?")tz=Etc/GMT%2B\(hours % 12)"
            times.append(try await numbers(address + zone, in: session))
        }
        return times.median ?? 0
    }

    /// The time until the page has its numbers.
    private func numbers(_ address: String, in session: URLSession) async throws -> Double {
        let start = ContinuousClock.now
        while try await open(address, in: session).isCounting {
            try await Task.sleep(for: .milliseconds(20))
        }
        return (ContinuousClock.now - start) / .milliseconds(1)
    }

    private struct Opened {
        let milliseconds: Double
        let isCounting: Bool
    }

    @discardableResult
    private func open(_ address: String, in session: URLSession) async throws -> Opened {
        guard let url = URL(string: address) else {
            throw BenchProblem.unexpectedPage(address: address, status: 0)
        }
        let start = ContinuousClock.now
        let (body, response) = try await session.data(from: url)
        let time = (ContinuousClock.now - start) / .milliseconds(1)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard status == 200, !(response.url?.path ?? "").hasPrefix("/sign-in") else {
            throw BenchProblem.unexpectedPage(address: address, status: status)
        }
        return Opened(
            milliseconds: time, isCounting: String(decoding: body, as: UTF8.self).contains("data-counting"))
    }
}
