internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles

/// Retires tokens whose time, as the app gave it, is over. Until then they count as expired wherever tokens are read.
struct TokenExpiry {
    let appID: Int64
    let connection: PostgresConnection

    init(appID: Int64, on connection: PostgresConnection) {
        self.appID = appID
        self.connection = connection
    }

    /// Tokens that are over their time and not retired yet.
    func count(now: Instant) throws -> Int64 {
        try connection.query(.Tokens.countExpired, [.value(appID), .value(now)]).single().get(0)
    }

    /// Retires those of one installation, as part of the running transaction.
    func retire(of installationID: Int64, now: Instant) {
        connection.enqueue(
            PostgresStatement(
                .Tokens.retireExpired,
                parameters(
                    now: now, runID: nil, atMost: Sweep.batchSize, behind: 0, installationID: installationID))
        )
    }

    /// Retires those of the app in batches of a sweep, each its own transaction, with room for others between them.
    ///
    /// - Parameter progress: told after each batch how many it retired.
    func retire(
        now: Instant, runID: Int64, in batches: inout SweepBatches, isStopped: () -> Bool,
        progress: (Int64) -> Void
    ) throws {
        var furthest: Int64 = 0
        while !isStopped() {
            let retired = try batches.run { size in
                try connection.query(
                    .Tokens.retireExpired,
                    parameters(
                        now: now, runID: runID, atMost: size, behind: furthest, installationID: nil)
                ).column(0, as: Int64.self)
            }
            guard let last = retired.max() else { break }
            furthest = last
            progress(Int64(retired.count))
            try batches.makeRoom()
        }
    }

    private func parameters(
        now: Instant, runID: Int64?, atMost size: Int64, behind tokenID: Int64, installationID: Int64?
    ) -> [PostgresParameter] {
        [
            .value(appID), .value(now), .value(now), .value(runID), .value(size), .value(tokenID),
            .value(installationID),
        ]
    }
}
