internal import ArgumentParser
internal import Foundation

/// The profile that a command's question goes to, if it goes to a server.
struct ProfileOption: ParsableArguments {
    static let environmentVariable = "LANDFALL_PROFILE"

    @Option(
        help: ArgumentHelp(
            "Ask the server of this profile, over HTTP, instead of a database (landfall config). Default: LANDFALL_PROFILE, if set.",
            valueName: "name"))
    var profile: String?

    /// The server to ask; `nil` for a database. An option that names a database overrides the variable.
    func server(unless database: DatabaseOptions) throws -> RemoteServer? {
        let namesDatabase = database.database != nil || database.config != nil
        guard profile == nil || !namesDatabase else {
            note(
                "Error: --profile names a server, and --database and --config name a database: use one of them."
            )
            throw ExitCode.validationFailure
        }
        let name = profile ?? (namesDatabase ? nil : Self.named())
        return try name.map { RemoteServer(name: $0, profile: try ProfileFile().profile($0)) }
    }

    /// The profile that the environment names.
    static func named(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> String? {
        let name = environment[environmentVariable] ?? ""
        return name.isEmpty ? nil : name
    }
}
