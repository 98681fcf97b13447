internal import Access
internal import ArgumentParser
internal import DeliveryModel
internal import Foundation
internal import PostgresClient
internal import Trust
internal import Vault

struct SignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign accounts and notifications, as a backend does.",
        discussion: """
            For trying out, and for comparing with what your backend signs: docs/trust.md describes both \
            signatures. In production your backend signs with a key of its own copy.
            """,
        subcommands: [SignAccountCommand.self, SignReceiptCommand.self])
}

struct SignAccountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "Print the account_proof for a registration.",
        discussion: """
            The device posts it with exactly this account and these tags, in this order.

              landfall sign account --app shop --account u_42 --tag news 0199f2a4-7c00-7000-8000-000000000001
            """)

    @Argument(help: .value("The id of the device.", "device_id"), transform: { try uuid($0, of: "device") })
    var deviceID: UUID

    @Option(help: "The account; none if only tags are to be proven.") var account = ""

    @Option(name: .customLong("tag"), parsing: .singleValue, help: .value("A tag. May be repeated.", "tag"))
    var tags: [String] = []

    @Option(help: .value("How long the proof may be used, at most 400.", "days")) var days: Int64 = 1
    @OptionGroup var options: AppOptions

    func validate() throws {
        guard (1...AccountProof.longestDays).contains(days) else {
            throw ValidationError("--days must be from 1 to \(AccountProof.longestDays).")
        }
        guard !account.isEmpty || !tags.isEmpty else {
            throw ValidationError("There is nothing to prove: use --account or --tag.")
        }
    }

    func run() throws {
        let claim = AccountProof.Claim(account: account, tags: tags, deviceID: deviceID)
        let key = try options.signingKey(.account)
        try Stdout.write(lines: [try AccountProof.text(for: claim, until: .now + .days(days), key: key)])
    }
}

struct SignReceiptCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipt",
        abstract: "Print the receipt of each notification or message, for its payload.",
        discussion: """
            The 16 bytes of a UUID are signed; of any other id, its text.

              landfall sign receipt --app shop 0199f2a4-7c00-7000-8000-000000000001
              landfall sign receipt --app shop order-4711
            """)

    @Argument(
        help: .value("The ids of notifications or messages.", "id"),
        transform: chosenID)
    var ids: [ChosenID]

    @OptionGroup var options: AppOptions

    func run() throws {
        let key = try options.signingKey(.receipt)
        try Stdout.write(lines: ids.map { Receipt.text(for: $0, key: key) })
    }
}

extension AppOptions {
    /// The app's newest key of a kind.
    fileprivate func signingKey(_ kind: SigningKey.Kind) throws -> SigningKey {
        try withApp { app, connection in
            let vault = try TokenVault.ofServer(connection, database.settings())
            let trust = try AppDirectory(connection).trust(of: app, vault: vault)
            guard let key = (kind == .account ? trust.accountKeys : trust.receiptKeys).first else {
                throw CommandProblem(
                    "app '\(app.slug)' has no \(kind.rawValue) key: create one with landfall key create "
                        + "--app \(app.slug) --kind \(kind.rawValue)")
            }
            return key
        }
    }
}
