internal import Instants
internal import PostgresClient
internal import SQLFiles

/// Retires tokens that have expired, by the time that the app stated. Until then they count as expired wherever tokens are read.
struct TokenExpiry {
    let appID: Int64
    let connection: PostgresConnection

    /// The number of expired tokens that are not yet retired.
    func count(now: Instant) throws -> Int64 {
        try connection.query(.Tokens.countExpired, [.value(appID), .value(now)]).single().get("token_count")
    }

    /// Retires those of one installation, within the running transaction.
    func retire(of installationID: Int64, now: Instant) {
        connection.enqueue(
            PostgresStatement(
                .Tokens.retireExpired,
                [
                    .value(appID), .value(now), .value(now), .value(nil as Int64?), .value(0 as Int64),
                    .value(now), .value(installationID),
                ]))
    }

    /// Retires those of the app in batches of a sweep, each its own transaction, with pauses for other sessions.
    ///
    /// - Parameter progress: receives the number of tokens retired by each batch.
    func retire(
        now: Instant, runID: Int64, in batches: inout SweepBatches, isStopped: () -> Bool,
        progress: (Int64) -> Void
    ) throws {
        var furthest = Instant(millisecondsSinceEpoch: 0)
        while !isStopped() {
            let expired = try batches.run { size in
                try connection.batch {
                    try connection.query(
                        .Tokens.retireExpired,
                        [
                            .value(appID), .value(now), .value(now), .value(runID), .value(size),
                            .value(furthest), .value(nil as Int64?),
                        ]
                    ).column("expires_at", as: Instant.self)
                }
            }
            guard let last = expired.max() else { break }
            furthest = last
            progress(Int64(expired.count))
            try batches.makeRoom()
        }
    }
}
