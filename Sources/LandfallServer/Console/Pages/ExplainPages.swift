internal import Access
internal import DeliveryModel
internal import Foundation
internal import Hummingbird
internal import Instants
internal import People
internal import PostgresClient
internal import Rendering
internal import Reports
internal import TokenLifecycle

/// The story of a notification, a device or a token.
///
/// What a person looks for is posted, so that no token value gets into an address, a history or a log; it is not repeated on the page. Links
/// from other pages name a notification by its id.
struct ExplainPages: Sendable {
    let desk: ReportDesk
    let vault: TokenVault

    func addRoutes(to console: ConsoleRoutes) {
        console.get("apps/:app/explain") { visit, _ in
            guard let id = try visit.parameters.one("notification") else { return try page(visit, []) }
            guard let notification = UUID(strict: id) else {
                let mistake = Markup.mistake(
                    "The id of a notification is a UUID. Look for anything else with the form.")
                return try page(visit, [mistake], .badRequest)
            }
            return try page(visit, [try await story(of: notification, visit)])
        }
        console.post("apps/:app/explain", as: .viewer) { visit, posted in
            try page(visit, [try await story(visit, posted)])
        }
    }

    private func page(
        _ visit: Visit, _ found: [Markup], _ status: HTTPResponse.Status = .ok
    ) throws -> Response {
        ConsolePage("Explain", place: .explain, try form(visit) + found)
            .response(status: status, for: visit)
    }

    private func form(_ visit: Visit) throws -> [Markup] {
        let path = ConsolePlace.explain.path(of: try visit.requireApp().slug)
        let erase = Markup.element(
            "p", [:],
            [
                .link(
                    to: "/apps/\(try visit.requireApp().slug)/erase",
                    Markup("Erase a device or an account"))
            ])
        return [
            .element("h1", [:], "Explain"),
            .element(
                "p", ["class": "caption"],
                "The story of a notification, a device or a token: its responses, events and rules."),
            .form(
                path, visit.session,
                [
                    .fields([
                        .field(
                            "Notification or device id; token, fingerprint or #number", "subject",
                            type: "search",
                            [
                                "required": "", "size": "48", "autocomplete": "off",
                                "spellcheck": "false", "autofocus": "",
                            ]),
                        .field("Device id, if the id is a message's", "device", ["size": "24"]),
                        .element("button", ["class": "primary"], "Explain"),
                    ])
                ]),
        ] + (visit.role >= .admin ? [erase] : [])
    }

    private func story(_ visit: Visit, _ form: ConsoleForm) async throws -> Markup {
        let subject = try form.field("subject").trimmingCharacters(in: .whitespaces)
        let device = UUID(strict: try form.field("device").trimmingCharacters(in: .whitespaces))
        return try await story(visit) { [vault] scope, connection in
            try Self.lines(subject, device, scope, vault, connection)
        }
    }

    private func story(of notification: UUID, _ visit: Visit) async throws -> Markup {
        try await story(visit) { scope, connection in
            try Self.lines(of: notification, scope, connection)
        }
    }

    private func story(
        _ visit: Visit, _ lines: @escaping @Sendable (StoryScope, PostgresConnection) throws -> [String]
    ) async throws -> Markup {
        let clock = StoryClock(timeZone: .utc, now: visit.now)
        let scope = StoryScope(
            app: try visit.requireApp(), clock: clock, pushesSince: visit.now - .days(14))
        return try await desk.read { connection in
            do {
                return .element(
                    "pre", ["class": "card wide story", "tabindex": "0", "aria-label": "The story"],
                    try lines(scope, connection).map { .element("span", [:], $0) })
            } catch {
                guard let reason = Self.reason(error) else { throw error }
                return .mistake(reason.sentence)
            }
        }
    }

    /// Why there is no story; `nil` for a failure. It does not say which other apps know the id: they may be none of the person's business.
    private static func reason(_ error: any Error) -> String? {
        switch error {
        case let error as StoryError: error.aboutItsAppAlone.description
        case let mistake as TokenNameMistake: mistake.description
        default: nil
        }
    }

    /// An id is a notification's or a device's, whichever is known; everything else names a token.
    private static func lines(
        _ subject: String, _ device: UUID?, _ scope: StoryScope, _ vault: TokenVault,
        _ connection: PostgresConnection
    ) throws -> [String] {
        guard let id = UUID(strict: subject) else {
            let search = TokenSearch(app: scope.app, connection: connection) { vault }
            switch try search.find(try TokenName(subject)) {
            case .one(let tokenID):
                return try TokenStory.read(tokenID: tokenID, scope, on: connection).lines(.page)
            case .several(let tokenIDs):
                let tokens = try TokenProfile.read(tokenIDs, scope, on: connection)
                return ["Several tokens match. Look for one of these by its number:", ""]
                    + tokens.map { "#\($0.tokenID)  \($0.shortFingerprint)  \($0.state), \($0.address)" }
            }
        }
        let notification = device.map { UUID.notification(ofMessage: id, toDevice: $0) } ?? id
        do {
            return try lines(of: notification, scope, connection)
        } catch let unknown as StoryError {
            do {
                return try DeviceStory.read(deviceID: id, scope, on: connection).lines(.page)
            } catch is StoryError {
                throw unknown
            }
        }
    }
    private static func lines(
        of notification: UUID, _ scope: StoryScope, _ connection: PostgresConnection
    ) throws -> [String] {
        try NotificationStory.read(notificationID: notification, scope, on: connection).lines(.page)
    }
}
