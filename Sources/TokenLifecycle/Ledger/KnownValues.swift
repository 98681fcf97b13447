public import PostgresClient
public import Vault

/// Finds values of device tokens among texts that are stored in the clear.
public struct KnownValues: Sendable {
    public struct Text: Hashable, Sendable {
        public let appID: Int64
        public let text: String

        public init(appID: Int64, text: String) {
            self.appID = appID
            self.text = text
        }
    }

    private let vault: TokenVault

    public init(vault: TokenVault) {
        self.vault = vault
    }

    /// The texts that are the value of a token of their app, with hex digits in either case.
    public func among(_ texts: Set<Text>, on connection: PostgresConnection) throws -> Set<Text> {
        guard !texts.isEmpty else { return [] }
        let asked = texts.flatMap { text in
            Set([text.text, text.text.lowercased()]).map { (text, vault.fingerprint(of: $0)) }
        }
        let rows = try connection.query(
            .Tokens.findValues, [.array(asked.map(\.0.appID)), .array(asked.map(\.1))])
        let positions: [Int64] = try rows.column("position")
        return Set(positions.map { asked[Int($0) - 1].0 })
    }
}
