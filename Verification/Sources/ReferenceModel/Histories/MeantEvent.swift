internal import Foundation

/// What a valid item says, as its maker means it. The reference reads this and never the text; the product reads the text
/// and never this.
struct MeantEvent: Sendable {
    enum Content: Sendable {
        case answer(MeantAnswer)
        case sighting(MeantSighting)
        case recall
    }

    let name: MeantName
    /// Milliseconds since 1970: as an answer states it, else from a version 7 id, else as posted; nil without any.
    let sentAt: Int64?
    /// The id itself says when it was made.
    let isDatedByID: Bool
    let content: Content

    var answer: MeantAnswer? {
        guard case .answer(let answer) = content else { return nil }
        return answer
    }

    var sighting: MeantSighting? {
        guard case .sighting(let sighting) = content else { return nil }
        return sighting
    }
}

/// Which notification an item is about.
enum MeantName: Hashable, Sendable {
    case notification(UUID)
    /// One payload for many devices: its id, and which of the history's devices is meant.
    case message(UUID, device: Int)
}

/// What a provider answered.
struct MeantAnswer: Sendable {
    enum Target: Hashable, Sendable {
        /// The token of one of the history's devices, under the topic and environment it is registered with.
        case deviceToken(Int)
        /// A token that no device ever registers.
        case strangeToken(String)
        /// A channel without tokens, to one of the history's devices.
        case device(Int)
        case broadcast
    }

    let words: AnswerWords
    let campaign: String
    let variant: String
    let environment: String
    let topic: String
    let pushType: String
    let priority: Int?
    let mutableContent: Bool?
    let target: Target
    /// Milliseconds since 1970.
    let refusedAt: Int64?
    let collapseID: String?
    /// The sender's last word.
    var isFinal = false

    /// Of several, the answer with the lowest rank counts: final rejections, then acceptance, then the others.
    var rank: Int { isFinal && words.rank > 0 ? words.rank - 100 : words.rank }

    /// By the definition of `reportable`: an alert, and `mutable_content` not false.
    var canReport: Bool { pushType == "alert" && mutableContent != false }
}

/// A provider's words, and the class they belong to: 0 accepted, 1 to 10 the classes of rejection by finality.
struct AnswerWords: Hashable, Sendable {
    let provider: String
    let status: Int
    let reason: String?
    let rank: Int

    init(_ provider: String, _ status: Int, _ reason: String?, _ rank: Int) {
        self.provider = provider
        self.status = status
        self.reason = reason
        self.rank = rank
    }
}

/// What a device saw or did.
struct MeantSighting: Sendable {
    enum Kind: Int, CaseIterable, Sendable {
        case arrival, presentation, click, dismissal
    }

    let kind: Kind
    /// Milliseconds since 1970, the device's clock corrected; nil when the device did not say.
    let occurredAt: Int64?
    let action: String?
    let isLocal: Bool
    /// Which version of the app says so; nil when it does not say.
    var appVersion: String?
}
