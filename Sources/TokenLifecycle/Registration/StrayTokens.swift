public import PostgresClient

/// Tokens that a response named while an app registered their value.
///
/// A registration merges the tokens of its values that responses have named. A response that is recorded at
/// the same time adds its token after that, and does not see the registration yet. So both look once more
/// after their commit: the later of the two sees both. A registration looks only for values that
/// ``RegisteredToken/mayHaveStrays``.
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
        for row in rows {
            try connection.query(
                .Tokens.mergeTokens,
                [
                    .value(try row.get("app_id", as: Int64.self)),
                    .array([try row.get("fingerprint", as: [UInt8].self)]),
                    .array([try row.get("token_id", as: Int64.self)]),
                    .array([try row.get("installation_id", as: Int64.self)]), .value(now),
                ])
        }
        return rows.count > 0
    }
}
