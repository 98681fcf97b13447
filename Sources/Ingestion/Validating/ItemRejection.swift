/// The reason one posted item was not recorded. The item itself is kept in quarantine.
public struct ItemRejection: Error, Hashable, Sendable {
    /// The error codes of the HTTP interface.
    public enum Code: String, CaseIterable, Sendable {
        case invalidJSON = "invalid_json"
        case unknownType = "unknown_type"
        case missingNotificationID = "missing_notification_id"
        case invalidNotificationID = "invalid_notification_id"
        case missingSentAt = "missing_sent_at"
        case missingToken = "missing_token"
        case invalidToken = "invalid_token"
        case invalidStatus = "invalid_status"
        case invalidInstant = "invalid_instant"
        case tooOld = "too_old"
        case inFuture = "in_future"
        case tooLong = "too_long"
        case forbiddenType = "forbidden_type"
        case invalidField = "invalid_field"
        case unknownProvider = "unknown_provider"
        case invalidReceipt = "invalid_receipt"
        case forbiddenEvidence = "forbidden_evidence"
        /// Another sender's post, or a line of its log, in a form that this version does not understand.
        case unreadPost = "unread_post"
    }

    public let code: Code
    /// The mistake and its remedy. It never quotes the item, which may contain a device token.
    public let detail: String

    public init(_ code: Code, _ detail: String) {
        (self.code, self.detail) = (code, detail)
    }

    /// A device's event about a day that only servers can create.
    static let missingDay = ItemRejection(
        .tooOld,
        "the notification was sent more than \(EventValidator.deviceDays) days ago, and no server has posted anything of that day: "
            + "post its response first, or this event with a server key")

    /// An event about a day whose notifications are no longer kept.
    static let droppedDay = ItemRejection(.tooOld, "the notifications of that day are no longer kept")
}
