internal import Access
internal import ArgumentParser
internal import PostgresClient
internal import Rendering
internal import Reports
internal import TokenLifecycle

struct ExplainTokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract:
            "Show what a token is, why it is in its state, what would make it active again, and its last pushes.",
        discussion: """
            Specify the token by its value, by the first digits (8 or more) of its fingerprint, or by its \
            number, such as '#12', in quotes because the shell takes # for a comment. Finding a token by its \
            value requires the server's token key. With -, the value is read from stdin, so that it stays \
            out of the shell's history.

              landfall explain token 3fa9c1d2e4b5 --app shop
              landfall explain token '#12' --tz Europe/Berlin --json
              landfall explain token - < token.txt
            """)

    @Argument(help: .value("The value, fingerprint or #number, or - for stdin.", "token")) var token: String
    @OptionGroup var options: StoryOptions

    func validate() throws {
        guard token != "-" else { return }
        do {
            _ = try TokenName(token)
        } catch {
            throw ValidationError("\(sentence(error.description)) See landfall explain token --help.")
        }
    }

    func run() throws {
        let name = try token == "-" ? nameFromStdin() : TokenName(token)
        try options.tell(
            { scope, connection in
                try TokenStory.read(tokenID: try find(name, scope, on: connection), scope, on: connection)
            },
            document: \.document, text: { TokenStoryText($0, $1).lines })
    }

    private func nameFromStdin() throws -> TokenName {
        do {
            return try TokenName(readLine() ?? "")
        } catch {
            note("Error: \(sentence(error.description))")
            throw ExitCode.validationFailure
        }
    }

    private func find(_ name: TokenName, _ scope: StoryScope, on connection: PostgresConnection) throws
        -> Int64
    {
        let search = TokenSearch(app: scope.app, connection: connection) { try vault(connection) }
        switch try search.find(name) {
        case .one(let tokenID): return tokenID
        case .several(let tokenIDs):
            note("Error: Several tokens match. Specify one by its number:")
            for token in try TokenProfile.read(tokenIDs, scope, on: connection) {
                note(
                    "  '#\(token.tokenID)'  \(token.shortFingerprint)  \(token.state), \(printable(token.address))"
                )
            }
            throw ExitCode.validationFailure
        }
    }

    /// `nil` if there is no key.
    private func vault(_ connection: PostgresConnection) throws -> TokenVault? {
        do {
            return try TokenVault.ofServer(connection, options.app.database.settings())
        } catch let problem as CommandProblem where problem == .noTokenKey {
            return nil
        }
    }
}
