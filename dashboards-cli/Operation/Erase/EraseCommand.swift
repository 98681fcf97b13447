internal import Access
internal import ArgumentParser
internal import DeliveryModel
internal import Foundation
internal import Instants
internal import People
internal import PostgresClient
internal import TokenLifecycle

/// `landfall erase`: prints the plan; with `--apply`, carries it out.
struct EraseCommand: StoppableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erase a device or an account permanently.",
        discussion: """
            Without --apply, the command prints a plan and changes nothing. An erased installation leaves a \
            tombstone: the values of its tokens, its account, tags, permissions and traits are erased, \
            counters stay, and late events do not bring it back. With --account, the installations on which \
            this account was the last to sign in are erased; where another account has signed in since, only \
            this account's own periods are erased. Every erased installation has a receipt; a repeated \
            request returns the same one. The command can be stopped at any time and run again.

              landfall erase --app shop --device 0b9c1d5e-8f53-4c6b-9d61-2f6f3f0f9a11
              landfall erase --app shop --account anna@example.com --apply
            """)

    @OptionGroup var app: AppOptions

    @Option(help: ArgumentHelp("The device_id under which the app registers.", valueName: "uuid"))
    var device: String?

    @Option(help: ArgumentHelp("The account, as the app names it.", valueName: "account"))
    var account: String?

    @Flag(help: "Apply the plan, one transaction per installation.")
    var apply = false

    @OptionGroup(title: "Output")
    var output: OutputOptions

    func validate() throws {
        guard (device == nil) != (account == nil) else {
            throw ValidationError("Specify either --device or --account.")
        }
        if account == "" { throw ValidationError("--account must not be empty.") }
        if device != nil, deviceID == nil { throw ValidationError("--device must be a UUID.") }
    }

    private var deviceID: UUID? { device.flatMap { UUID(strict: $0) } }

    func work() throws {
        let now = Instant.now
        let subject = try subject()
        try app.withApp { app, connection in
            let erasure = Erasure(appID: app.appID)
            let plan = try erasure.plan(subject, on: connection)
            if apply {
                // The entry must not contain the account that is erased.
                let name = deviceID?.uuidString.lowercased() ?? "an account"
                try Audit.recordCommand("erased", app: app, subject: name, on: connection)
            }
            let done =
                apply ? try erasure.carryOut(plan, for: subject, now: now, on: connection) : nil
            let report = ErasureReport(app: app.slug, asOf: now, plan: plan, done: done)
            try output.write(json: report.document, csv: report.csv, table: { report.lines($0) })
            if report.isEmpty { try self.app.database.noteNothing("Nothing to erase for app \(app.slug)") }
        }
    }

    private func subject() throws -> ErasureSubject {
        if let account { return .account(account) }
        guard let deviceID else { throw ValidationError("--device must be a UUID.") }
        return .device(deviceID)
    }
}
