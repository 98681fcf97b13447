internal import Documents
internal import Foundation
internal import Instants
internal import Rendering
internal import Reports
internal import TokenLifecycle

/// An erasure in every output format: its plan, or its result.
struct ErasureReport {
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

    func lines(_ style: OutputStyle) -> [String] {
        let heading = style.paint("Erase \(style.dot) \(printable(app))", .title)
        let receipts = (done?.receipts ?? []).map { erased in
            "  receipt \(Self.text(erased.receipt.receiptID))  "
                + style.paint("device \(Self.text(erased.device))", .aside)
        }
        return [heading, ""] + Remark.lines(remarks, style, nameWidth: 13) + [""]
            + (receipts.isEmpty ? [] : receipts + [""]) + folded(verdict, to: style.width)
    }

    private var remarks: [Remark] {
        let devices = done?.receipts.count ?? plan.devices.count
        var remarks = [
            Remark("installations", Int64(devices), "a tombstone of each remains"),
            Remark(
                "tokens", counts.tokens,
                "retired, with \(grouped(counts.tokenValues)) sealed values; fingerprints stay"),
            Remark("accounts", counts.accountBindings, "periods in which one was signed in"),
            Remark("permissions", counts.permissionPeriods, "periods of permissions"),
            Remark("tags", counts.tags, "in addition to versions, language, model …"),
        ]
        if !plan.sharedDevices.isEmpty {
            remarks.append(
                Remark(
                    "shared", Int64(plan.sharedDevices.count),
                    "installations that now have another account: only this account's periods are erased"))
        }
        return remarks
    }

    private var verdict: String {
        guard let done else {
            return isEmpty
                ? "Nothing to do: there is no such device or account, or it has already been erased (--apply shows the receipt)."
                : "This is a plan: nothing was changed. --apply carries it out, permanently."
        }
        if done.wasStopped { return "Stopped between two installations; the next run continues." }
        return done.receipts.isEmpty && done.forgottenPeriods == 0 ? "There was nothing to erase." : "Done."
    }
}
