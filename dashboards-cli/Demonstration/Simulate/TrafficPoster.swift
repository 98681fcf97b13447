internal import Simulation

/// Posts simulated traffic in chronological order.
struct TrafficPoster {
    let client: IngestionClient

    struct Progress {
        let allEvents: Int
        fileprivate(set) var received = ReceivedCounts()
    }

    private static let concurrentPosts = 4

    /// Posts slice by slice, and within each slice the registrations before the events: a response about a token must find the
    /// token's owner. Everything else is posted concurrently. Devices post each event in a request of its own. If there is an
    /// attacker, its requests are spread over all slices.
    ///
    /// - Throws: ``SimulationProblem``.
    func post(_ traffic: SimulatedTraffic, progress: (Progress) -> Void) async throws -> ReceivedCounts {
        var state = Progress(allEvents: traffic.events.count)
        var posts = 0
        let slices = traffic.slices
        var attack = traffic.attack[...]
        for (position, slice) in slices.enumerated() {
            let forged = Array(attack.prefix(attack.count / (slices.count - position)))
            attack = attack.dropFirst(forged.count)
            async let attacked = inParallel(forged, atOnce: Self.concurrentPosts, client.attempt)
            try await inParallel(slice.registrations, atOnce: IngestionClient.concurrency, client.register)
            state.received.registrations += Int64(slice.registrations.count)
            let requests = EventPost.posts(of: slice.events, first: posts)
            posts += requests.count
            for response in try await inParallel(requests, atOnce: Self.concurrentPosts, client.post) {
                state.received += response
            }
            let reports = slice.deviceEvents.map { EventPost([$0], as: .lines, isFromDevice: true) }
            for response in try await inParallel(
                reports, atOnce: IngestionClient.concurrency, client.post)
            { state.received += response }
            for counts in try await attacked { state.received.attack += counts }
            progress(state)
        }
        guard state.received.received == Int64(state.allEvents) else {
            throw SimulationProblem.miscounted(
                posted: Int64(state.allEvents), received: state.received.received)
        }
        return state.received
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
