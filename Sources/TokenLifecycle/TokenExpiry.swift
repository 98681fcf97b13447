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
                parameters(now: now, runID: nil, behind: 0, installationID: installationID)))
    }

    /// Retires those of the app in batches, each its own transaction. Answers how many.
    func retire(now: Instant, runID: Int64, isStopped: () -> Bool) throws -> Int64 {
        var count: Int64 = 0
        var furthest: Int64 = 0
        while !isStopped() {
            let retired = try connection.query(
                .Tokens.retireExpired,
                parameters(now: now, runID: runID, behind: furthest, installationID: nil)
            ).column(0, as: Int64.self)
            guard let last = retired.max() else { break }
            furthest = last
            count += Int64(retired.count)
        }
        return count
    }

    private func parameters(
        now: Instant, runID: Int64?, behind tokenID: Int64, installationID: Int64?
    ) -> [PostgresParameter] {
        [
            .value(appID), .value(now), .value(now), .value(runID), .value(Sweep.batchSize), .value(tokenID),
            .value(installationID),
        ]
    }
}
