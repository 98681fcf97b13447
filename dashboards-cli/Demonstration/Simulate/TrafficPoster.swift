internal import Simulation

/// Posts simulated traffic in chronological order.
enum TrafficPoster {
    private static let concurrentPosts = 4

    /// Posts everything with a client of its own and shows the progress on a terminal.
    ///
    /// Posts slice by slice, and within each slice the registrations before the events: a response about a token
    /// must find the token's owner. Everything else is posted concurrently.
    ///
    /// - Throws: ``SimulationProblem``.
    static func post(
        _ traffic: SimulatedTraffic, to server: String, key: String, patience: Duration
    ) async throws -> ReceivedCounts {
        let line = ProgressLine()
        defer { line.clear() }
        let posted = Int64(traffic.events.count)
        return try await IngestionClient.with(server: server, key: key, patience: patience) { client in
            var counts = ReceivedCounts()
            var posts = 0
            for slice in traffic.slices {
                try await inParallel(
                    slice.registrations, atOnce: IngestionClient.concurrency, client.register)
                counts.registrations += Int64(slice.registrations.count)
                let requests = EventPost.posts(of: slice.events, first: posts)
                posts += requests.count
                for verdicts in try await inParallel(requests, atOnce: concurrentPosts, client.post) {
                    counts += verdicts
                }
                line.show(counts.received, of: posted)
            }
            guard counts.received == posted else {
                throw SimulationProblem.miscounted(posted: posted, received: counts.received)
            }
            return counts
        }
    }
}

/// Runs the same work for every element, this many at once. The first error ends it. Results come in any order.
@discardableResult
private func inParallel<Element: Sendable, Result: Sendable>(
    _ elements: [Element], atOnce: Int, _ work: @escaping @Sendable (Element) async throws -> Result
) async throws -> [Result] {
    try await withThrowingTaskGroup(of: Result.self) { group in
        var results: [Result] = []
        for (position, element) in elements.enumerated() {
            if position >= atOnce, let result = try await group.next() { results.append(result) }
            group.addTask { try await work(element) }
        }
        for try await result in group { results.append(result) }
        return results
    }
}
