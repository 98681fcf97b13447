internal import PostgresClient
internal import TokenLifecycle

extension TokenVault {
    /// The vault of the server that filled this database, held until the connection ends.
    ///
    /// - Parameters:
    ///   - settings: the location of the key.
    ///   - makesKey: creates a key if there is none. Only correct for a private database, whose server looks in the same place.
    /// - Throws: ``CommandProblem/noTokenKey`` and `TokenKeyError`, whose descriptions state the remedy.
    static func ofServer(
        _ connection: PostgresConnection, _ settings: FoundSettings, makesKey: Bool = false
    ) throws -> TokenVault {
        let (folder, environment) = (settings.dataFolder, settings.environment)
        guard
            let key = try makesKey
                ? TokenKey.load(dataFolder: folder, environment: environment, ofPrivate: connection)
                : TokenKey.find(dataFolder: folder, environment: environment)
        else {
            throw CommandProblem.noTokenKey
        }
        let vault = TokenVault(key)
        try vault.claim(connection)
        try vault.hold(connection)
        return vault
    }
}
