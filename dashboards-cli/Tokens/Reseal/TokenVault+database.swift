internal import PostgresClient
internal import TokenLifecycle

extension TokenVault {
    /// The vault of the server that filled this database, held until the connection ends.
    ///
    /// - Parameters:
    ///   - settings: the location of the key.
    ///   - makesKey: creates a key if there is none. Only correct for a private database, whose server looks in the same place.
    /// - Throws: ``QuarantineProblem/noTokenKey`` and `TokenKeyError`, whose descriptions state the remedy.
    static func ofServer(
        _ connection: PostgresConnection, _ settings: FoundSettings, makesKey: Bool = false
    ) throws -> TokenVault {
        let (folder, environment) = (settings.dataFolder, settings.environment)
        guard
            let key = try makesKey
                ? TokenKey.load(dataFolder: folder, environment: environment, ofPrivate: connection)
                : TokenKey.find(dataFolder: folder, environment: environment)
        else {
            throw QuarantineProblem.noTokenKey
        }
        let vault = TokenVault(key)
        try vault.claim(connection)
        try vault.hold(connection)
        return vault
    }
}

enum QuarantineProblem: Error, Equatable, CustomStringConvertible {
    case noTokenKey

    var description: String {
        switch self {
        case .noTokenKey:
            "device tokens and quarantined items are sealed, and the token key is not available here: set "
                + "\(TokenKey.environmentVariable), or copy token.key from the server's data folder to "
                + "LANDFALL_DATA"
        }
    }
}
