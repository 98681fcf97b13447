internal import Rendering
internal import Simulation

enum TrafficPoster {
    private static let concurrentPosts = 4

    /// Posts everything with a client of its own and shows the progress on a terminal.
    ///
    /// Posts slice by slice, and within each slice the registrations before the events: a response about a
    /// token must find the token's owner. Everything else is posted concurrently.
    ///
    /// - Throws: ``CommandProblem``.
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
                let share = percent(Double(counts.received) / Double(max(posted, 1)))
                line.show("posting  \(share) %  \(grouped(counts.received)) of \(grouped(posted)) events")
            }
            guard counts.received == posted else {
                throw CommandProblem(
                    "\(posted) events were posted, but the server counted \(counts.received): accepted + "
                        + "duplicates + rejected must add up to all of them")
            }
            return counts
        }
    }
}

/// Runs the same work for every element, this many at once. The first error ends it. Results are unordered.
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

/// The body of one `POST /v1/events`.
struct EventPost: Sendable {
    enum Form: Sendable {
        /// One JSON array, or one object per line.
        case array, lines

        var contentType: String { self == .array ? "application/json" : "application/x-ndjson" }
    }

    let form: Form
    let itemCount: Int
    let body: [UInt8]

    private init(_ events: ArraySlice<[UInt8]>, as form: Form) {
        self.form = form
        itemCount = events.count
        body = form == .array ? Self.array(events) : Self.ndjson(events)
    }

    /// Items per request, in rotation, because senders' batches differ in size. The number of sizes is odd,
    /// so that every size occurs in both forms.
    static let sizes = [50, 120, 500, 210, 330]

    /// Splits events into requests, alternately arrays and lines.
    ///
    /// - Parameter first: the number of requests before these.
    static func posts(of events: [[UInt8]], first: Int) -> [EventPost] {
        var posts: [EventPost] = []
        var rest = events[...]
        while !rest.isEmpty {
            let turn = first + posts.count
            posts.append(
                EventPost(
                    rest.prefix(sizes[turn % sizes.count]), as: turn.isMultiple(of: 2) ? .array : .lines))
            rest = rest.dropFirst(sizes[turn % sizes.count])
        }
        return posts
    }

    static func ndjson(_ events: ArraySlice<[UInt8]>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(events.reduce(0) { $0 + $1.count + 1 })
        for event in events {
            bytes += event
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    private static func array(_ events: ArraySlice<[UInt8]>) -> [UInt8] {
        [UInt8(ascii: "[")] + Array(events.joined(separator: [UInt8(ascii: ",")])) + [UInt8(ascii: "]")]
    }
}
