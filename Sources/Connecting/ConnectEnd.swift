internal import DeliveryModel

/// What has to arrive until a sender counts as connected. It depends on what the sender can post.
public enum ConnectEnd: Hashable, Sendable {
    /// A response and a device event of one notification.
    case meeting
    /// A response. The sender makes ids that no payload contains.
    case response
    /// A rejection. The sender posts no acceptances.
    case rejection
    /// A receipt: an arrival or a final rejection. The sender posts nothing else.
    case receipt

    func isReached(by state: DeliveryState) -> Bool {
        switch self {
        case .meeting: state.contains(.attempted) && !state.isDisjoint(with: .seenOnDevice)
        case .response: state.contains(.attempted)
        case .rejection: state.isRejected
        case .receipt: state.contains(.witnessed) || state.isRejected
        }
    }

    /// In a sentence: "Connected: … of 018f… is recorded."
    var words: String {
        switch self {
        case .meeting: "a response and a device event"
        case .response: "a response"
        case .rejection: "a failure"
        case .receipt: "a receipt"
        }
    }

    /// What remains open once it is connected; `nil` if nothing does.
    public var limit: String? {
        switch self {
        case .meeting: nil
        case .response:
            "Device events cannot show this: the sender makes its ids itself, so no payload contains them."
        case .rejection:
            "Successes are not posted by the hook, so it cannot show whether device events have the same ids. Post "
                + "the sender's log as well."
        case .receipt:
            "Receipts do not show whether the provider's responses arrive: your sender posts them under the same "
                + "ids."
        }
    }
}
