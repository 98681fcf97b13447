internal import Access
internal import ArgumentParser
internal import Basics
internal import DeliveryModel
internal import People
internal import PostgresClient
internal import Presets
internal import Vault

struct KeyImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Store the secret with which another sender signs its posts.",
        discussion: """
            From then on, POST /v1/intake/{preset} rejects posts of that sender that are not signed with it. \
            Prompts for the secret, or reads it from stdin; it is never an argument, because every user of the \
            machine can read those. It is stored sealed. To replace one, import the second, let the sender sign \
            with it, and revoke the first.

              landfall key import customerio --app shop
              landfall key import customerio --app shop < secret.txt
            """)

    @Argument(
        help: .value("The preset: \(presets.joined(separator: ", ")).", "preset"),
        completion: .list(presets), transform: read)
    var preset: String

    @OptionGroup var options: AppOptions

    func run() throws {
        let secret = SecretInput.read(prompt: "Secret of \(preset): ")
        guard (1...FieldLimits.text).contains(secret.count) else {
            throw CommandProblem("the secret is empty, or longer than \(FieldLimits.text) characters")
        }
        if let sender = Preset.named(preset), let form = sender.secretForm, !sender.accepts(secret: secret) {
            throw CommandProblem("the secret of \(preset) must be \(form)")
        }
        let slug = try options.database.withDatabase { front in
            let (app, database, connection) = try options.database.find(options.app, in: front)
            let vault = try TokenVault.ofServer(
                connection, options.database.settings(), makesKey: database.isPrivate)
            try connection.transaction {
                try Audit.recordCommand("key_created", app: app, subject: "intake \(preset)", on: connection)
                try AppDirectory(connection)
                    .addIntakeSecret(secret, of: preset, for: app, vault: vault, at: .now)
            }
            return app.slug
        }
        note("Servers check the signatures of \(preset) for \(slug) within a few seconds.")
    }

    /// Those whose posts are signed: for any other, a secret would change nothing.
    private static let presets = Preset.all.filter { $0.secretForm != nil }.map(\.name)

    private static func read(_ text: String) throws -> String {
        guard presets.contains(text) else {
            throw ValidationError(
                """
                \(Preset.named(text) == nil ? "There is no such preset" : "\(text) does not sign its posts"). \
                Use \(presets.joined(separator: ", ")).
                """)
        }
        return text
    }
}
