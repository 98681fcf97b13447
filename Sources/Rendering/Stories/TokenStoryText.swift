internal import DeliveryModel
internal import Foundation
package import Reports
internal import Wording

/// `landfall explain token` as text.
package struct TokenStoryText {
    let story: TokenStory
    private let page: StoryPage

    package init(_ story: TokenStory, _ style: OutputStyle) {
        self.story = story
        self.page = StoryPage(scope: story.scope, style: style)
    }

    private var token: TokenProfile { story.token }

    package var lines: [String] {
        page.heading("Token #\(token.tokenID) \(token.shortFingerprint)") + whatItIs + whyAndWhatNow + times
            + relatives
            + page.section("History") + page.ledger(story.ledger, story.names) + page.pushes(story.pushes)
    }

    private var whatItIs: [String] {
        page.fact("for", token.address)
            + page.fact("device", token.deviceID?.uuidString.lowercased() ?? "none: no app has registered it")
            + page.fact("value", token.hasValue ? nil : "erased; only its fingerprint is left")
    }

    private var whyAndWhatNow: [String] {
        let state = "\(token.state) since \(page.scope.clock.localAndRelative(token.stateChangedAt))"
        return page.fact("state", state, page.ink(token.state))
            + page.fact("because", story.lastChange?.words.sentence)
            + page.fact("so", token.advice(story.names)) + page.fact("way back", token.wayBack)
    }

    private var times: [String] {
        page.fact("registered", page.time(token.lastRegisteredAt) ?? "never")
            + page.fact("accepted", page.time(token.lastAcceptedAt) ?? "never")
            + page.fact("rejected", page.time(token.lastRejectedAt))
            + page.fact("heard from", page.time(token.lastSignOfLifeAt))
    }

    private var relatives: [String] {
        let arrow = " \(page.style.arrow) "
        let chain = story.chain.map { $0.tokenID == token.tokenID ? "this one" : brief($0) }
        return page.fact("chain", chain.count > 1 ? chain.joined(separator: arrow) : nil)
            + story.sameValue.flatMap {
                page.fact("same value", "\(brief($0)), \(printable($0.address)), \($0.state)")
            }
            + story.otherAddresses.flatMap { other in
                page.fact(
                    "elsewhere",
                    "under \(printable(other.address)): \(Words.count(other.responses, "response", "responses")), the last one "
                        + printable(other.lastWords), .trouble)
            }
    }

    private func brief(_ token: TokenProfile) -> String { "#\(token.tokenID) \(token.shortFingerprint)" }
}
