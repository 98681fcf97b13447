internal import DeliveryModel
internal import PostgresClient

/// Some apps are being moved. The items of all others are recorded.
struct MovingApps: Error {
    /// The error of each app.
    let errors: [Int64: PostgresError]
    /// One per item, in order; those of moving apps mean nothing.
    let verdicts: [Verdict]

    /// The errors of apps that are being moved, each for a second.
    struct Recent {
        private var errors: [Int64: (error: PostgresError, until: ContinuousClock.Instant)] = [:]

        mutating func add(_ apps: MovingApps) {
            let until = ContinuousClock.now + .seconds(1)
            for (appID, error) in apps.errors { errors[appID] = (error, until) }
        }

        func error(of appID: Int64) -> (any Error)? {
            guard let moving = errors[appID], moving.until > .now else { return nil }
            return moving.error
        }
    }
}

extension DeliveryWriter {
    /// Writes the items of apps that are not moving; the verdicts of others mean nothing. What earlier
    /// transactions of the batch committed is not written again, or it would count as duplicates.
    func writeOthers(
        _ items: [BatchItem], writer: Int, now: Instant, _ moving: inout [Int64: PostgresError]
    ) async throws -> [Verdict] {
        let others = items.indices.filter { moving[items[$0].appID] == nil }
        let written = try await writeAlike(others.map { items[$0] }, writer: writer, now: now, &moving)
        var verdicts = items.map { _ in Verdict.duplicate }
        for (position, verdict) in zip(others, written) { verdicts[position] = verdict }
        return verdicts
    }
}
