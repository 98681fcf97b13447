/// The meaning of a valid item. The reference reads this and never the text; the product reads the text and
/// never this.
struct MeantEvent: Sendable {
    enum Content: Sendable {
        case response(MeantResponse)
        case sighting(MeantSighting)
        case recall
    }

    let name: MeantName
    /// Milliseconds since 1970: the time in the response, otherwise the time in a version 7 id, otherwise as
    /// posted; `nil` if there is none.
    let sentAt: Int64?
    /// The id contains the time it was created.
    let isDatedByID: Bool
    let content: Content

    var response: MeantResponse? {
        guard case .response(let response) = content else { return nil }
        return response
    }

    var sighting: MeantSighting? {
        guard case .sighting(let sighting) = content else { return nil }
        return sighting
    }

    /// The device that the event names although its notification does not depend on it.
    var namedDevice: Int? {
        guard case .notification = name else { return nil }
        return sighting?.device
    }
}

/// The notification that an item is about.
enum MeantName: Hashable, Sendable {
    case notification(MeantID)
    /// One payload for many devices: its id, and the position of the history's device.
    case message(MeantID, device: Int)
}

/// A provider's response.
struct MeantResponse: Sendable {
    enum Target: Hashable, Sendable {
        /// The token of one of the history's devices, under the topic and environment of its registration.
        case deviceToken(Int)
        /// A token that no device ever registers.
        case strangeToken(String)
        /// A channel without tokens, to one of the history's devices.
        case device(Int)
        case broadcast
    }

    let words: ResponseWords
    let campaign: String
    let variant: String
    let environment: String
    let topic: String
    let pushType: String
    let priority: Int?
    let mutableContent: Bool?
    let target: Target
    /// Milliseconds since 1970.
    let rejectedAt: Int64?
    let collapseID: String?
    var facts = MeantFacts()
    /// The sender's final result.
    var isFinal = false

    /// The rank by which one of several responses counts, the lowest first: final rejections, then
    /// acceptance, then the others.
    var rank: Int { isFinal && words.rank > 0 ? words.rank - 100 : words.rank }

    /// By the definition of `reportable`: an alert of a push service with `mutable_content` not false.
    var canReport: Bool { pushType == "alert" && mutableContent != false && words.provider != "inapp" }
}

/// The fields of a response that the row only keeps. Of several responses, the first that is recorded and has
/// the field decides; of the sender and its provider's id, the response that counts.
struct MeantFacts: Hashable, Sendable {
    /// Milliseconds since 1970.
    var expiresAt: Int64?
    var sender: String?
    var providerID: String?
    var contentAvailable: Bool?

    mutating func add(_ later: MeantFacts, counts: Bool) {
        expiresAt = expiresAt ?? later.expiresAt
        if counts { (sender, providerID) = (later.sender, later.providerID) }
        contentAvailable = contentAvailable ?? later.contentAvailable
    }
}

/// A provider's words, and their class: 0 for accepted, 1 to 10 for the classes of rejection by finality.
struct ResponseWords: Hashable, Sendable {
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

/// A device event.
struct MeantSighting: Sendable {
    enum Kind: Int, CaseIterable, Sendable {
        case arrival, presentation, click, dismissal
    }

    let kind: Kind
    /// Milliseconds since 1970, after correction of the device's clock; `nil` if the device did not report
    /// it.
    let occurredAt: Int64?
    let action: String?
    let isLocal: Bool
    /// The version of the app that reports; `nil` if it does not name itself.
    var appVersion: String?
    /// The evidence of an arrival; `nil` if the event names none, which means the extension.
    var evidence: String?
    /// An arrival that the extension did not report. It says nothing about when, or by which version.
    var isWitness: Bool { kind == .arrival && evidence != nil && evidence != "extension" }
    /// The history's device that an event about a notification names, not always the one that the push went
    /// to.
    var device: Int?
}
