public import DeliveryModel

/// One posted item on its way into the database: a valid event, or the reason why it is invalid.
public struct BatchItem: Sendable {
    public let appID: Int64
    /// The item as it was posted, for the quarantine.
    public let text: ArraySlice<UInt8>
    /// The rules under which it was read, and under which a replay reads it again.
    public let poster: EventValidator.Poster
    public let content: Result<Event, ItemRejection>
    /// Whether it may be recorded only if a response or a receipt confirms it: the quota of its app or address is spent.
    public var needsConfirmation: Bool

    /// Whether a receipt proves that the device has received the notification. The receipt of a message is the same for all of
    /// its devices, so it does not prove which ones there are.
    public var isProven: Bool {
        guard case .success(let event) = content, case .device(let report) = event.content,
            case .notification = event.name
        else { return false }
        return report.isSigned
    }

    public var flow: Flow { Flow(appID: appID, poster: poster) }

    /// - Parameter poster: the device by default, because it has the fewest rights.
    public init(
        appID: Int64, text: ArraySlice<UInt8>, poster: EventValidator.Poster = .device,
        content: Result<Event, ItemRejection>, needsConfirmation: Bool = false
    ) {
        (self.appID, self.text, self.poster) = (appID, text, poster)
        (self.content, self.needsConfirmation) = (content, needsConfirmation)
    }

    func rejected(_ rejection: ItemRejection) -> BatchItem {
        BatchItem(appID: appID, text: text, poster: poster, content: .failure(rejection))
    }
}

/// The outcome of one item, and warnings for its sender.
public struct Verdict: Hashable, Sendable {
    public enum Outcome: Hashable, Sendable {
        /// It changed a row.
        case accepted
        /// The row already held everything it says.
        case duplicate
        /// It is in quarantine.
        case rejected(ItemRejection)
        /// It is not recorded, because nothing confirms it, and the quota of its app or address is spent.
        case overQuota
    }

    public var outcome: Outcome
    /// Empty for a rejected item.
    public var warnings: ItemWarnings = []
    /// Whether a response to its notification is known. Always false for a rejected item, and for a duplicate from a server.
    public var isMatched = false
    /// The number of device events that were recorded before this response; 0 unless it is the first to its notification.
    public var confirmedEvents = 0

    public static let accepted = Verdict(outcome: .accepted)
    public static let duplicate = Verdict(outcome: .duplicate)

    public static func rejected(_ rejection: ItemRejection) -> Verdict {
        Verdict(outcome: .rejected(rejection))
    }
}
