internal import Foundation
package import Reports

extension DeviceStory: ScopedStory {
    /// `landfall explain device` as text.
    package func lines(_ style: OutputStyle) -> [String] { StoryPage(story: self, style: style).lines }
}

extension StoryPage where Story == DeviceStory {
    private var device: DeviceProfile { story.device }

    fileprivate var lines: [String] {
        heading("Device \(device.deviceID.uuidString.lowercased())") + traits + accounts
            + section("Tokens") + tokens + section("History")
            + ledger(story.ledger, story.names, namesTokens: true) + pushes(story.pushes)
    }

    private var traits: [String] {
        let system = [device.platform, device.osVersion].filter { !$0.isEmpty }.joined(separator: " ")
        let version = device.appVersion.isEmpty ? "" : "app \(device.appVersion)"
        let app = [system, version, device.model, device.language, device.timeZone]
            .filter { !$0.isEmpty }.joined(separator: ", ")
        let permission = device.permission.isEmpty ? "unknown" : device.permission
        return fact("app", app)
            + fact("permission", permission, device.permission == "denied" ? .trouble : nil)
            + fact("turned off", (device.turnedOff ?? []).joined(separator: ", "), .trouble)
            + fact("no token", device.registrationError, .trouble)
            + fact("unregistered", missingCategories, .trouble)
            + fact("kit", device.kit)
            + fact("tags", device.tags.joined(separator: ", "))
            + fact("claimed", device.claimedTags.isEmpty ? "" : claimedTags)
            + fact("credential", device.hasCredential ? "held by the device" : "")
            + fact("erased", time(device.erasedAt), .trouble)
            + fact("first", time(device.firstRegisteredAt))
            + fact("registered", time(device.lastRegisteredAt))
            + fact("heard from", time(device.lastSignOfLifeAt))
    }

    private var missingCategories: String {
        device.missingCategories.isEmpty
            ? "" : "categories \(device.missingCategories.joined(separator: ", ")): they show no actions"
    }

    private var claimedTags: String {
        "tags \(device.claimedTags.joined(separator: ", ")), without a proof of the app's backend"
    }

    private var accounts: [String] {
        let local = clock.localAndRelative
        return story.bindings.flatMap { binding -> [String] in
            let period =
                binding.unboundAt.map { "from \(local(binding.boundAt)) until \(local($0))" }
                ?? "since \(local(binding.boundAt))"
            let standing = binding.isVerified ? "" : ", claimed without a proof of the app's backend"
            return fact("account", "\(binding.account)\(standing), \(period)")
        }
    }

    /// The values that held each slot in time order, and the one that holds it.
    private var tokens: [String] {
        guard !story.tokens.isEmpty else { return [style.paint("  none", .aside)] }
        let slots = Dictionary(grouping: story.tokens, by: \.address).sorted { $0.key < $1.key }
        return slots.flatMap { address, tokens in
            ["  \(printable(address))"] + tokens.flatMap(line)
        }
    }

    private func line(_ token: TokenProfile) -> [String] {
        let state = "\(token.state) since \(clock.localAndRelative(token.stateChangedAt))"
        let cause = token.cause.map { ": \($0)" } ?? ""
        let slot = token.holdsSlot ? ", in use" : ""
        return hanging(
            "    #\(token.tokenID) \(token.shortFingerprint)  ", state + cause + slot, ink(token.state))
    }
}
