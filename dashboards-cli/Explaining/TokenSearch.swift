internal import Access
internal import ArgumentParser
internal import DeliveryModel
internal import PostgresClient
internal import Reports
internal import TokenLifecycle

/// Finds the one token that a name means, or says why there is not one.
struct TokenSearch {
    let app: App
    let now: Instant
    let connection: PostgresConnection

    private var search: StorySearch { StorySearch(connection) }

    /// - Throws: ``TokenSearchProblem``; for several tokens, a note of them and exit code 64.
    func find(_ name: TokenName) throws -> Int64 {
        for known in name.names {
            if let found = try only(search.tokens(named: known, appIDs: [app.appID])) { return found }
        }
        guard !name.values.isEmpty else { throw try unknown(name.names) }
        guard let vault = try vault() else {
            throw name.names.isEmpty ? TokenSearchProblem.noTokenKey : TokenSearchProblem.noFingerprint
        }
        let asValues = name.values.map { value in
            StorySearch.TokenName.fingerprint(
                vault.fingerprint(of: value).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())
        }
        let found = try asValues.flatMap { try search.tokens(named: $0, appIDs: [app.appID]) }
        if let only = try only(found) { return only }
        throw try unknown(name.names + asValues)
    }

    /// Nil for none.
    private func only(_ found: [StorySearch.Found]) throws -> Int64? {
        guard found.count > 1 else { return found.first?.tokenID }
        note("Error: Several tokens fit. Say which one by its number:")
        for token in try search.profiles(found.map(\.tokenID), of: app, now: now) {
            note("  '#\(token.tokenID)'  \(token.shortFingerprint)  \(token.state), \(printable(token.address))")
        }
        throw ExitCode.validationFailure
    }

    /// The key of the server that filled this database; nil where there is none.
    private func vault() throws -> TokenVault? {
        do {
            return try TokenVault.ofServer(connection)
        } catch QuarantineProblem.noTokenKey {
            return nil
        }
    }

    private func unknown(_ names: [StorySearch.TokenName]) throws -> TokenSearchProblem {
        let others = try AppDirectory(connection).apps().filter { $0.appID != app.appID }
        let found = try names.flatMap { try search.tokens(named: $0, appIDs: others.map(\.appID)) }
        let knownIn = others.filter { other in found.contains { $0.appID == other.appID } }.map(\.slug)
        return .unknown(app: app.slug, knownIn: knownIn)
    }
}

/// Why no token was found. What was typed is not repeated: it may be the value of a token.
enum TokenSearchProblem: Error, Equatable, CustomStringConvertible {
    case unknown(app: String, knownIn: [String])
    case noTokenKey
    case noFingerprint

    var description: String {
        switch self {
        case .unknown(let app, let knownIn):
            if let other = knownIn.first {
                "the app '\(app)' knows no such token, but '\(knownIn.joined(separator: "', '"))' does: --app \(other)"
            } else {
                "the app '\(app)' knows no such token. It was never registered (PUT /v1/devices/{device_id}) nor named in an "
                    + "answer, or it is spelled otherwise: APNs tokens are hex, all others are text to the letter"
            }
        case .noTokenKey:
            "finding a token by its value takes the server's token key, and there is none here: set "
                + "\(TokenKey.environmentVariable), or copy token.key from the server's data folder to LANDFALL_DATA. Or "
                + "name the token by its fingerprint or number"
        case .noFingerprint:
            "no fingerprint begins like this. If it is the value of a token: finding that takes the server's token key, and "
                + "there is none here. Set \(TokenKey.environmentVariable), or copy token.key from the server's data folder "
                + "to LANDFALL_DATA"
        }
    }
}
