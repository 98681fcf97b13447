internal import ArgumentParser
internal import Basics
internal import Foundation
internal import Rendering

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Manage profiles of servers to ask for reports.",
        discussion: """
            With --profile, or with LANDFALL_PROFILE set, reports are asked of a server over HTTP, and what is \
            printed is the same. Everything else needs the database. Each profile has a report key, which \
            belongs to one app and reads nothing but reports.

              landfall config set shop --server https://push.example.com
              landfall funnel --from 7d --profile shop
              export LANDFALL_PROFILE=shop
            """,
        subcommands: [ConfigListCommand.self, ConfigSetCommand.self, ConfigRemoveCommand.self],
        defaultSubcommand: ConfigListCommand.self)
}

struct ConfigListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the profiles. The default command.",
        discussion: """
            Only the first characters of each key are printed.

              landfall config
              landfall config list --json
            """)

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
        let file = ProfileFile()
        let profiles = try file.profiles().sorted { $0.key < $1.key }
        let chosen = ProfileOption.named()
        let columns = Listing<(key: String, value: Profile)>(
            .text("name", "Profile", group: 0) { $0.key }, .text("server", "Server") { $0.value.server },
            .text("key_prefix", "Key begins with", shown: { $0.value.keyPrefix + $1.ellipsis }) {
                $0.value.keyPrefix
            },
            .flag("chosen", "", (ProfileOption.environmentVariable, "")) { $0.key == chosen })
        try output.write(
            json: ["profiles": columns.json(profiles)], csv: columns.csv(profiles),
            table: { profiles.isEmpty ? [] : columns.table(profiles, $0).lines($0) })
        if profiles.isEmpty {
            note("There is no profile in \(file.path). landfall config set NAME --server URL creates one.")
        }
    }
}

struct ConfigSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Create a profile, or replace its server and key.",
        discussion: """
            Prompts for the report key, or reads it from stdin; it is never an argument, because every user of \
            the machine can read those. The profile is stored only if the server accepts the key.

              landfall config set shop --server https://push.example.com
              ssh push landfall key create --app shop --kind report |
                landfall config set shop --server https://push.example.com
            """)

    @Argument(help: .value("The name of the profile.", "name")) var name: String
    @Option(help: .value("The address of the server: https://push.example.com.", "url")) var server: String

    @Option(help: .value("The address of the console, if it is not that of the server.", "url"))
    var console: String?

    func validate() throws {
        guard !name.isEmpty, name.utf8.allSatisfy(Self.allowed.contains) else {
            throw ValidationError(
                "'\(name)' cannot be the name of a profile: use letters, digits, '-', '_' and '.'.")
        }
    }

    func run() async throws {
        let profile = try Profile(
            server: server, key: SecretInput.read(prompt: "Report key: "), console: console)
        // Asks for as little as a report can contain.
        let report = try await RemoteServer(name: name, profile: profile).report("funnel", [("from", "1h")])
        let file = ProfileFile()
        try file.set(name, to: profile)
        note("The profile \(name) reads the reports of app \(report.app) at \(profile.server).")
        if profile.isUnencrypted {
            note("Anyone on the way can read its key, because the address begins with http: use https.")
        }
        if ProfileOption.named() != name {
            note("Use it with --profile \(name), or export \(ProfileOption.environmentVariable)=\(name)")
        }
    }

    private static let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.".utf8)
}

struct ConfigRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a profile.",
        discussion: """
            The key stays valid until it is revoked: landfall key revoke, where the database is.

              landfall config remove shop
            """)

    @Argument(help: .value("The name of the profile.", "name")) var name: String

    func run() throws {
        let file = ProfileFile()
        _ = try file.profile(name)
        try file.set(name, to: nil)
        note("The profile \(name) is removed. Its key is valid until it is revoked with landfall key revoke.")
    }
}
