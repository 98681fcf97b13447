internal import ArgumentParser
internal import DeliveryModel
internal import Foundation
internal import People
internal import PostgresClient
internal import Rendering
internal import Reports
internal import TokenLifecycle

struct EraseCommand: StoppableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Erase a device or an account permanently.",
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
    @Option(help: .value("The device_id under which the app registers.", "uuid")) var device: String?
    @Option(help: .value("The account, as the app names it.", "account")) var account: String?
    @Flag(help: "Apply the plan, one transaction per installation.") var apply = false
    @OptionGroup(title: "Output") var output: OutputOptions

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
        guard let subject else { return }
        try app.withApp { app, connection in
            let erasure = Erasure(appID: app.appID)
            let plan = try erasure.plan(subject, on: connection)
            if apply {
                // The entry must not contain the account that is erased.
                let name = deviceID?.uuidString.lowercased() ?? "an account"
                try Audit.recordCommand("erased", app: app, subject: name, on: connection)
            }
            let done = apply ? try erasure.carryOut(plan, for: subject, now: now, on: connection) : nil
            let report = ErasureReport(app: app.slug, asOf: now, plan: plan, done: done)
            try output.write(report)
            if report.isEmpty { try self.app.database.noteNothing("Nothing to erase for app \(app.slug)") }
        }
    }

    private var subject: ErasureSubject? {
        account.map(ErasureSubject.account) ?? deviceID.map(ErasureSubject.device)
    }
}

struct ErasureReport: OperationReport {
    let app: String
    let asOf: Instant
    let plan: ErasurePlan
    /// `nil` for a plan.
    let done: ErasureResult?

    var isEmpty: Bool { plan.devices.isEmpty && plan.sharedDevices.isEmpty }

    /// The counts of the plan or, if it was carried out, of the receipts.
    private var counts: ErasureCounts { done?.counts ?? plan.counts }

    /// `{"report":"erase",…}`: counts of rows; `applied` is null for a plan.
    var document: JSONValue {
        [
            "report": "erase", "app": .string(app), "as_of": .string(asOf.rfc3339),
            "plan": [
                "devices": .array(plan.devices.map { .string(Self.text($0)) }),
                "erased": Self.json(plan.counts),
                "shared_devices": .array(plan.sharedDevices.map { .string(Self.text($0)) }),
            ],
            "applied": done.map { done in
                [
                    "receipts": .array(done.receipts.map(Self.json)),
                    "forgotten_account_bindings": .integer(done.forgottenPeriods),
                    "was_stopped": .bool(done.wasStopped),
                ]
            } ?? .null,
        ]
    }

    private static func json(_ erased: ErasureResult.Erased) -> JSONValue {
        let (device, receipt) = (erased.device, erased.receipt)
        return [
            "receipt_id": .string(text(receipt.receiptID)), "device_id": .string(text(device)),
            "erased_at": .string(receipt.erasedAt.rfc3339), "erased": json(receipt.counts),
        ]
    }

    private static func json(_ counts: ErasureCounts) -> JSONValue {
        [
            "tokens": .integer(counts.tokens), "token_values": .integer(counts.tokenValues),
            "account_bindings": .integer(counts.accountBindings),
            "permission_periods": .integer(counts.permissionPeriods), "tags": .integer(counts.tags),
        ]
    }

    private static func text(_ id: UUID) -> String { id.uuidString.lowercased() }

    /// One line per installation; receipts only after the erasure.
    var csv: CSVText {
        let receipts = Dictionary(
            (done?.receipts ?? []).map { ($0.device, $0.receipt) }, uniquingKeysWith: { first, _ in first })
        return Listing<UUID>(
            .text("device_id") { Self.text($0) },
            .text("receipt_id") { receipts[$0].map { Self.text($0.receiptID) } },
            .instant("erased_at") { receipts[$0]?.erasedAt },
            .constant("app", app), .constant("as_of", asOf.rfc3339)
        ).csv(done.map { $0.receipts.map(\.device) } ?? plan.devices)
    }

    let title = "Erase"

    func figures(_ style: OutputStyle) -> [String] {
        let receipts = (done?.receipts ?? []).map { erased in
            "  receipt \(Self.text(erased.receipt.receiptID))  "
                + style.paint("device \(Self.text(erased.device))", .aside)
        }
        return Remark.lines(remarks, style, nameWidth: 13) + (receipts.isEmpty ? [] : [""] + receipts)
    }

    private var remarks: [Remark] {
        let devices = done?.receipts.count ?? plan.devices.count
        let shared = Remark(
            "shared", Int64(plan.sharedDevices.count),
            "installations that now have another account: only this account's periods are erased")
        return [
            Remark("installations", Int64(devices), "a tombstone of each remains"),
            Remark(
                "tokens", counts.tokens,
                "retired, with \(grouped(counts.tokenValues)) sealed values; fingerprints stay"),
            Remark("accounts", counts.accountBindings, "periods in which one was signed in"),
            Remark("permissions", counts.permissionPeriods, "periods of permissions"),
            Remark("tags", counts.tags, "in addition to versions, language, model …"),
        ] + (plan.sharedDevices.isEmpty ? [] : [shared])
    }

    var verdict: String {
        guard let done else {
            return isEmpty
                ? "Nothing to do: there is no such device or account, or it has already been erased (--apply shows the receipt)."
                : "This is a plan: nothing was changed. --apply carries it out, permanently."
        }
        if done.wasStopped { return "Stopped between two installations; the next run continues." }
        return done.receipts.isEmpty && done.forgottenPeriods == 0 ? "There was nothing to erase." : "Done."
    }
}
