public import Instants
public import PostgresClient
internal import SQLFiles

/// Tokens that a response named while an app registered their value.
///
/// A registration merges the tokens of its values that responses have named. A response that is recorded at the same time adds its
/// token after that, and does not see the registration yet. So both look once more after their commit: the later of the two sees
/// both.
public enum StrayTokens {
    /// Merges such tokens into the registered ones.
    ///
    /// - Parameter tokenIDs: registered tokens, or those that responses named.
    /// - Returns: whether there were any.
    @discardableResult
    public static func merge(_ tokenIDs: [Int64], now: Instant, on connection: PostgresConnection) throws
        -> Bool
    {
        guard !tokenIDs.isEmpty else { return false }
        let rows = try connection.query(.Tokens.findStrays, [.array(tokenIDs)])
        guard rows.first != nil else { return false }
        let appIDs: [Int64] = try rows.column("app_id")
        let fingerprints: [[UInt8]] = try rows.column("fingerprint")
        let registered: [Int64] = try rows.column("token_id")
        let installations: [Int64] = try rows.column("installation_id")
        for index in appIDs.indices {
            try connection.query(
                .Tokens.mergeTokens,
                [
                    .value(appIDs[index]), .array([fingerprints[index]]), .array([registered[index]]),
                    .array([installations[index]]), .value(now),
                ])
        }
        return true
    }
}
