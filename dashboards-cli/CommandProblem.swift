internal import TokenLifecycle
internal import Trust

/// The reason why a command cannot do its work.
struct CommandProblem: Error, Equatable, CustomStringConvertible {
    let description: String

    static let noTerminal = CommandProblem(
        description:
            "landfall watch requires a terminal; without one, run landfall, which prints the same once")
    static let noTokenKey = CommandProblem(
        description: "device tokens and quarantined items are sealed, and the token key is not available "
            + "here: set \(TokenKey.environmentVariable), or copy token.key from the server's data folder to "
            + "LANDFALL_DATA")

    static func noKey(_ kind: SigningKey.Kind, app: String) -> CommandProblem {
        CommandProblem(
            description:
                "app '\(app)' has no \(kind.rawValue) key: create one with landfall key create --app \(app) --kind \(kind.rawValue)"
        )
    }
}
