internal import DeliveryModel
internal import Foundation
package import Reports

extension TokenStory: ScopedStory {
    /// `landfall explain token` as text.
    package func lines(_ style: OutputStyle) -> [String] { StoryPage(story: self, style: style).lines }
}

extension StoryPage where Story == TokenStory {
    private var token: TokenProfile { story.token }

    fileprivate var lines: [String] {
        heading("Token #\(token.tokenID) \(token.shortFingerprint)") + whatItIs + whyAndWhatNow + times
            + relatives + section("History") + ledger(story.ledger, story.names) + pushes(story.pushes)
    }

    private var whatItIs: [String] {
        fact("for", token.address)
            + fact("device", token.deviceID?.uuidString.lowercased() ?? "none: no app has registered it")
            + fact("value", token.hasValue ? nil : "erased; only its fingerprint is left")
    }

    private var whyAndWhatNow: [String] {
        let state = "\(token.state) since \(clock.localAndRelative(token.stateChangedAt))"
        return fact("state", state, ink(token.state))
            + fact("because", story.lastChange?.words.sentence)
            + fact("so", token.advice(story.names)) + fact("way back", token.wayBack)
    }

    private var times: [String] {
        fact("registered", time(token.lastRegisteredAt) ?? "never")
            + fact("accepted", time(token.lastAcceptedAt) ?? "never")
            + fact("rejected", time(token.lastRejectedAt))
            + fact("heard from", time(token.lastSignOfLifeAt))
    }

    private var relatives: [String] {
        let arrow = " \(style.arrow) "
        let chain = story.chain.map { $0.tokenID == token.tokenID ? "this one" : brief($0) }
        return fact("chain", chain.count > 1 ? chain.joined(separator: arrow) : nil)
            + story.sameValue.flatMap {
                fact("same value", "\(brief($0)), \(printable($0.address)), \($0.state)")
            }
            + story.otherAddresses.flatMap { other in
                fact(
                    "elsewhere",
                    "under \(printable(other.address)): \(Words.count(other.responses, "response", "responses")), the last one "
                        + printable(other.lastWords), .trouble)
            }
    }

    private func brief(_ token: TokenProfile) -> String { "#\(token.tokenID) \(token.shortFingerprint)" }
}
