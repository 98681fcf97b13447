internal import EmbeddedPostgres
internal import PostgresClient
internal import TokenLifecycle

extension TokenVault {
    /// The vault of the server that filled this database.
    ///
    /// - Throws: ``QuarantineProblem/noTokenKey`` and `TokenKeyError`, which say what to do.
    static func ofServer(_ connection: PostgresConnection) throws -> TokenVault {
        guard let key = try TokenKey.find(dataFolder: DataFolder().url) else {
            throw QuarantineProblem.noTokenKey
        }
        let vault = TokenVault(key)
        try vault.claim(connection)
        return vault
    }
}

enum QuarantineProblem: Error, Equatable, CustomStringConvertible {
    case noTokenKey

    var description: String {
        switch self {
        case .noTokenKey:
            "the texts of quarantined items are sealed, and there is no token key here: set "
                + "\(TokenKey.environmentVariable), or copy token.key from the server's data folder to LANDFALL_DATA"
        }
    }
}
