internal import DeliveryModel
internal import Foundation
internal import Hummingbird
internal import People
internal import PostgresClient
internal import Rendering
internal import Reports
internal import TokenLifecycle
internal import Vault

/// The story of a notification, a device or a token.
///
/// What a person looks for is posted, so that no token value gets into an address, a history or a log; the
/// page does not repeat it. Links from other pages name a notification by its id.
struct ExplainPages: Sendable {
    let desk: ReportDesk
    let vault: TokenVault

    func addRoutes(to console: ConsoleRoutes) {
        console.get("apps/:app/explain") { visit, _ in
            let app = try visit.requireApp()
            guard let id = try visit.parameters.one("notification") else {
                return page(visit, app, nil).response(for: visit)
            }
            guard let notification = try? ChosenID(id).uuid(inApp: app.appID) else {
                let mistake =
                    "This is not the id of a notification, which has 1 to \(FieldLimits.text) characters."
                return page(visit, app, .mistake(mistake)).response(status: .badRequest, for: visit)
            }
            let found = try await story(visit, app) { try Self.lines(of: notification, $0, $1) }
            return page(visit, app, found).response(for: visit)
        }
        console.post(inApp: "explain", as: .viewer) { visit, app, posted in
            page(visit, app, try await story(visit, app, posted)).response(for: visit)
        }
    }

    private func page(_ visit: Visit, _ app: App, _ found: Markup?) -> ConsolePage {
        ConsolePage(title: "Explain", place: .explain) {
            h1 { "Explain" }
            p(class: "caption") {
                "The story of a notification, a device or a token: its responses, events and rules."
            }
            entryForm(ConsolePlace.explain.path(of: app.slug), visit.session, button: "Explain") {
                field(
                    "Notification or device id; token, fingerprint or #number", "subject", type: "search",
                    [
                        "required": "", "size": "48", "autocomplete": "off", "spellcheck": "false",
                        "autofocus": "",
                    ])
                field("Device id, if the id is a message's", "device", ["size": "24"])
            }
            if visit.role >= .admin {
                p { a(["href": "/apps/\(app.slug)/erase"]) { "Erase a device or an account" } }
            }
            found
        }
    }

    private func story(_ visit: Visit, _ app: App, _ form: ConsoleForm) async throws -> Markup {
        let subject = try form.field("subject").trimmingCharacters(in: .whitespaces)
        let device = UUID(strict: try form.field("device").trimmingCharacters(in: .whitespaces))
        return try await story(visit, app) { [vault] scope, connection in
            try Self.lines(subject, device, scope, vault, connection)
        }
    }

    private func story(
        _ visit: Visit, _ app: App,
        _ lines: @escaping @Sendable (StoryScope, PostgresConnection) throws -> [String]
    ) async throws -> Markup {
        let clock = StoryClock(timeZone: .utc, now: visit.now)
        let scope = StoryScope(app: app, clock: clock, pushesSince: visit.now - .days(14))
        return try await desk.read(in: app.cell) { connection in
            do {
                let story = try lines(scope, connection)
                return pre(class: "card wide story", ["tabindex": "0", "aria-label": "The story"]) {
                    for line in story { span { line } }
                }
            } catch {
                guard let reason = Self.reason(error) else { throw error }
                return .mistake(reason.sentence)
            }
        }
    }

    /// Why there is no story; `nil` for a failure. It does not say which other apps know the id.
    private static func reason(_ error: any Error) -> String? {
        switch error {
        case let error as StoryError: error.aboutItsAppAlone.description
        case let mistake as TokenNameMistake: mistake.description
        default: nil
        }
    }

    /// What is known under this name: a notification; otherwise a device if it is a UUID, or a token.
    private static func lines(
        _ subject: String, _ device: UUID?, _ scope: StoryScope, _ vault: TokenVault,
        _ connection: PostgresConnection
    ) throws -> [String] {
        guard let chosen = try? ChosenID(subject) else {
            return try lines(ofToken: subject, scope, vault, connection)
        }
        let id = chosen.uuid(inApp: scope.app.appID)
        do {
            let notification = device.map { UUID.notification(ofMessage: id, toDevice: $0) } ?? id
            return try lines(of: notification, scope, connection)
        } catch let unknown as StoryError {
            guard case .uuid = chosen else {
                guard device == nil else { throw unknown }
                return try lines(ofToken: subject, scope, vault, connection)
            }
            do {
                return try DeviceStory.read(deviceID: id, scope, on: connection).lines(.page)
            } catch is StoryError {
                throw unknown
            }
        }
    }

    private static func lines(
        ofToken name: String, _ scope: StoryScope, _ vault: TokenVault, _ connection: PostgresConnection
    ) throws -> [String] {
        let search = TokenSearch(app: scope.app, connection: connection) { vault }
        switch try search.find(try TokenName(name)) {
        case .one(let tokenID):
            return try TokenStory.read(tokenID: tokenID, scope, on: connection).lines(.page)
        case .several(let tokenIDs):
            let tokens = try TokenProfile.read(tokenIDs, scope, on: connection)
            return ["Several tokens match. Look for one of these by its number:", ""]
                + tokens.map { "#\($0.tokenID)  \($0.shortFingerprint)  \($0.state), \($0.address)" }
        }
    }

    private static func lines(
        of notification: UUID, _ scope: StoryScope, _ connection: PostgresConnection
    ) throws -> [String] {
        try NotificationStory.read(notificationID: notification, scope, on: connection).lines(.page)
    }
}

/// Erases a device or an account. It is posted, so that no account gets into an address, a history or a log.
struct ErasePages: Sendable {
    func addRoutes(to console: ConsoleRoutes) {
        console.page(inApp: "erase", as: .admin) { page($0, $1) }
        console.post(inApp: "erase/plan", as: .admin) { try await plan($0, $1, $2).response(for: $0) }
        console.post(inApp: "erase", as: .admin) { try await erase($0, $1, $2).response(for: $0) }
    }

    private func page(_ visit: Visit, _ app: App, mistake: String? = nil) -> ConsolePage {
        ConsolePage(title: "Erase", place: .explain) {
            h1 { "Erase" }
            p(class: "caption") {
                "Removes the personal data of a device, or of an account on all of its devices. Counters stay."
            }
            mistake.map(Markup.mistake)
            entryForm("/apps/\(app.slug)/erase/plan", visit.session, button: "Show what would be erased") {
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
        let plan = try await visit.patientPool.withConnection {
            try Erasure(appID: app.appID).plan(subject, on: $0)
        }
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
        let result = try await visit.patientPool.withConnection { connection in
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
