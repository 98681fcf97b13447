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
/// What a person looks for is posted, so that no token value gets into an address, a history or a log; it is not repeated on the page.
struct ExplainPages: Sendable {
    let desk: ReportDesk
    let vault: TokenVault

    func addRoutes(to console: ConsoleRoutes) {
        console.page("apps/:app/explain") { visit in
            ConsolePage("Explain", place: .explain, try form(visit))
        }
        console.post("apps/:app/explain", as: .viewer) { visit, posted in
            let found = try await story(visit, posted)
            return ConsolePage("Explain", place: .explain, try form(visit) + [found]).response(for: visit)
        }
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
                    .element(
                        "div", ["class": "filters"],
                        [
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
        let app = try visit.requireApp()
        let subject = try form.field("subject").trimmingCharacters(in: .whitespaces)
        let device = UUID(strict: try form.field("device").trimmingCharacters(in: .whitespaces))
        let clock = StoryClock(timeZone: .utc, now: visit.now)
        let scope = StoryScope(app: app, clock: clock, pushesSince: visit.now - .days(14))
        return try await desk.read { [vault] connection in
            do {
                let lines = try Self.lines(subject, device, scope, vault, connection)
                return .element(
                    "pre", ["class": "card wide scroll story", "tabindex": "0", "aria-label": "The story"],
                    [Markup(lines.joined(separator: "\n"))])
            } catch {
                guard let mistake = Self.mistake(error) else { throw error }
                return .mistake(mistake.sentence)
            }
        }
    }

    /// Why there is no story; `nil` for a failure. It does not say which other apps know the id: they may be none of the person's business.
    private static func mistake(_ error: any Error) -> String? {
        switch error {
        case let error as StoryError: error.aboutItsAppAlone.description
        case let problem as TokenSearchProblem: problem.aboutItsAppAlone.description
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
                return TokenStoryText(try TokenStory.read(tokenID: tokenID, scope, on: connection), .page)
                    .lines
            case .several(let tokenIDs):
                let tokens = try TokenProfile.read(tokenIDs, scope, on: connection)
                return ["Several tokens match. Look for one of these by its number:", ""]
                    + tokens.map { "#\($0.tokenID)  \($0.shortFingerprint)  \($0.state), \($0.address)" }
            }
        }
        let notification = device.map { UUID.notification(ofMessage: id, toDevice: $0) } ?? id
        do {
            return NotificationStoryText(
                try NotificationStory.read(notificationID: notification, scope, on: connection), .page
            ).lines
        } catch let unknown as StoryError {
            do {
                return DeviceStoryText(
                    try DeviceStory.read(deviceID: id, scope, on: connection), .page
                ).lines
            } catch is StoryError {
                throw unknown
            }
        }
    }
}
