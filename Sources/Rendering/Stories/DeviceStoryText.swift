internal import Foundation
package import Reports

/// `landfall explain device` as text.
package struct DeviceStoryText {
    let story: DeviceStory
    private let page: StoryPage

    package init(_ story: DeviceStory, _ style: OutputStyle) {
        self.story = story
        self.page = StoryPage(scope: story.scope, style: style)
    }

    private var device: DeviceProfile { story.device }

    package var lines: [String] {
        page.heading("Device \(device.deviceID.uuidString.lowercased())") + traits + accounts
            + page.section("Tokens") + tokens + page.section("History")
            + page.ledger(story.ledger, story.names, namesTokens: true) + page.pushes(story.pushes)
    }

    private var traits: [String] {
        let system = [device.platform, device.osVersion].filter { !$0.isEmpty }.joined(separator: " ")
        let version = device.appVersion.isEmpty ? "" : "app \(device.appVersion)"
        let app = [system, version, device.model, device.language, device.timeZone]
            .filter { !$0.isEmpty }.joined(separator: ", ")
        let permission = device.permission.isEmpty ? "unknown" : device.permission
        return page.fact("app", app)
            + page.fact("permission", permission, device.permission == "denied" ? .trouble : nil)
            + page.fact("turned off", (device.turnedOff ?? []).joined(separator: ", "), .trouble)
            + page.fact("no token", device.registrationError, .trouble)
            + page.fact("unregistered", missingCategories, .trouble)
            + page.fact("kit", device.kit)
            + page.fact("tags", device.tags.joined(separator: ", "))
            + page.fact("claimed", device.claimedTags.isEmpty ? "" : claimedTags)
            + page.fact("credential", device.hasCredential ? "held by the device" : "")
            + page.fact("erased", page.time(device.erasedAt), .trouble)
            + page.fact("first", page.time(device.firstRegisteredAt))
            + page.fact("registered", page.time(device.lastRegisteredAt))
            + page.fact("heard from", page.time(device.lastSignOfLifeAt))
    }

    private var missingCategories: String {
        device.missingCategories.isEmpty
            ? "" : "categories \(device.missingCategories.joined(separator: ", ")): they show no actions"
    }

    private var claimedTags: String {
        "tags \(device.claimedTags.joined(separator: ", ")), without a proof of the app's backend"
    }

    private var accounts: [String] {
        let local = page.scope.clock.localAndRelative
        return story.bindings.flatMap { binding -> [String] in
            let period =
                binding.unboundAt.map { "from \(local(binding.boundAt)) until \(local($0))" }
                ?? "since \(local(binding.boundAt))"
            let standing = binding.isVerified ? "" : ", claimed without a proof of the app's backend"
            return page.fact("account", "\(binding.account)\(standing), \(period)")
        }
    }

    /// The values that held each slot in time order, and the one that holds it.
    private var tokens: [String] {
        guard !story.tokens.isEmpty else { return [page.style.paint("  none", .aside)] }
        let slots = Dictionary(grouping: story.tokens, by: \.address).sorted { $0.key < $1.key }
        return slots.flatMap { address, tokens in
            ["  \(printable(address))"] + tokens.flatMap(line)
        }
    }

    private func line(_ token: TokenProfile) -> [String] {
        let state = "\(token.state) since \(page.scope.clock.localAndRelative(token.stateChangedAt))"
        let cause = token.cause.map { ": \($0)" } ?? ""
        let slot = token.holdsSlot ? ", in use" : ""
        return page.hanging(
            "    #\(token.tokenID) \(token.shortFingerprint)  ", state + cause + slot, page.ink(token.state))
    }
}
