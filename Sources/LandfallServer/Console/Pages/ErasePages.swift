internal import Access
internal import DeliveryModel
internal import Foundation
internal import Hummingbird
internal import People
internal import PostgresClient
internal import Rendering
internal import TokenLifecycle
internal import Wording

/// Erases a device or an account. It is posted, so that no account gets into an address, a history or a log.
struct ErasePages: Sendable {
    /// Connections for work that takes as long as the account has installations.
    let pool: PostgresPool

    func addRoutes(to console: ConsoleRoutes) {
        console.page(inApp: "erase", as: .admin) { page($0, $1) }
        console.post(inApp: "erase/plan", as: .admin) { visit, app, form in
            try await plan(visit, app, form).response(for: visit)
        }
        console.post(inApp: "erase", as: .admin) { visit, app, form in
            try await erase(visit, app, form).response(for: visit)
        }
    }

    private func page(_ visit: Visit, _ app: App, mistake: String? = nil) -> ConsolePage {
        ConsolePage(title: "Erase", place: .explain) {
            h1 { "Erase" }
            p(class: "caption") {
                "Removes the personal data of a device, or of an account on all of its devices. Counters stay."
            }
            mistake.map(Markup.mistake)
            entryForm(
                "/apps/\(app.slug)/erase/plan", visit.session, button: "Show what would be erased"
            ) {
                field("Device id", "device", ["size": "38", "autocomplete": "off"])
                field("Or account, as the app names it", "account", ["autocomplete": "off"])
            }
        }
    }

    /// - Returns: `nil` unless exactly one of them is given, and is one.
    private func subject(_ form: ConsoleForm) throws -> ErasureSubject? {
        let device = try form.field("device").trimmingCharacters(in: .whitespaces)
        let account = try form.field("account")
        guard device.isEmpty != account.isEmpty else { return nil }
        guard device.isEmpty else { return UUID(strict: device).map { .device($0) } }
        return .account(account)
    }

    private func plan(_ visit: Visit, _ app: App, _ form: ConsoleForm) async throws -> ConsolePage {
        guard let subject = try subject(form) else {
            return page(visit, app, mistake: "Enter either the id of a device, a UUID, or an account.")
        }
        let plan = try await pool.withConnection { try Erasure(appID: app.appID).plan(subject, on: $0) }
        guard !plan.devices.isEmpty || !plan.sharedDevices.isEmpty else {
            return page(
                visit, app,
                mistake: "There is no such device or account in this app, or it has already been erased.")
        }
        let (device, account) = (try form.field("device"), try form.field("account"))
        let path = "/apps/\(app.slug)/erase"
        return .asking(
            "Erase permanently", place: .explain, visit, consequences: Self.consequences(plan),
            button: "Erase \(Self.installations(plan.devices.count + plan.sharedDevices.count))",
            path: path, back: path
        ) {
            hidden("device", device)
            hidden("account", account)
        }
    }

    private static func installations(_ count: Int) -> String {
        Words.count(Int64(count), "installation", "installations")
    }

    private static func consequences(_ plan: ErasurePlan) -> [String] {
        let whole = plan.devices.isEmpty ? "" : "This erases \(words(plan.counts, of: plan.devices.count)). "
        var sentences = ["\(whole)It cannot be undone."]
        if !plan.sharedDevices.isEmpty {
            sentences.append(
                "On \(installations(plan.sharedDevices.count)), another account has signed in since: only this account's own periods are erased there."
            )
        }
        return sentences + [
            "A tombstone of each installation remains, so that late events do not bring it back."
        ]
    }

    /// `2 installations: 3 tokens, 1 period of an account, …`
    private static func words(_ counts: ErasureCounts, of devices: Int) -> String {
        let parts = [
            Words.count(counts.tokens, "token", "tokens"),
            Words.count(counts.accountBindings, "period of an account", "periods of accounts"),
            Words.count(counts.permissionPeriods, "period of a permission", "periods of permissions"),
            Words.count(counts.tags, "tag", "tags"),
        ]
        return "\(installations(devices)): \(parts.joined(separator: ", "))"
    }

    private func erase(_ visit: Visit, _ app: App, _ form: ConsoleForm) async throws -> ConsolePage {
        guard let subject = try subject(form) else {
            throw Problem.invalidParameter("enter either the id of a device, a UUID, or an account")
        }
        let result = try await pool.withConnection { connection in
            // The entry does not keep the account that is to be forgotten.
            let name = if case .device(let id) = subject { id.uuidString.lowercased() } else { "an account" }
            try visit.record("erased", name, on: connection)
            let erasure = Erasure(appID: app.appID)
            let plan = try erasure.plan(subject, on: connection)
            return try erasure.carryOut(plan, for: subject, now: visit.now, on: connection)
        }
        var done: [String] = []
        if !result.receipts.isEmpty {
            done.append("Erased \(Self.words(result.counts, of: result.receipts.count)).")
        }
        if result.forgottenPeriods != 0 {
            let periods = Words.count(result.forgottenPeriods, "period", "periods")
            done.append("Erased \(periods) of the account where another account has signed in since.")
        }
        return ConsolePage(title: "Erase", place: .explain) {
            h1 { "Erase" }
            p(class: "done", ["role": "status"]) { done.joined(separator: " ") }
            if !result.receipts.isEmpty {
                table(["Device", "Receipt"], result.receipts) { erased in
                    erased.device.uuidString.lowercased()
                    code { erased.receipt.receiptID.uuidString.lowercased() }
                }
            }
        }
    }
}
