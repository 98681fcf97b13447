/// An item as it was posted: every field of every type, not yet validated. Unknown fields are ignored.
struct PostedEvent {
    var type: String?
    var notificationID: PostedUUID?
    var messageID: PostedUUID?
    var sentAt: PostedInstant?

    var provider: String?
    var status: PostedStatus?
    var reason: String?
    var timestamp: PostedInstant?
    var token: String?
    var deviceID: PostedUUID?
    var channel: String?
    var environment: String?
    var topic: String?
    var pushType: String?
    var priority: Int?
    var mutableContent: Bool?
    var collapseID: String?
    /// Read so that it is validated if given; nothing counts it yet.
    var expiresAt: PostedInstant?
    var campaign: String?
    var variant: String?
    var tokenKind: String?

    var occurredAt: PostedInstant?
    var reportedAt: PostedInstant?
    var action: String?
    var source: String?
    var appVersion: String?

    var error: PostedError?
    var final: Bool?
    var tokenMalformed: Bool?

    /// A string contains U+0000.
    var holdsNUL = false
}

/// A `status`: a number, also as a string (aioapns), or the word of an Expo ticket.
enum PostedStatus: Equatable {
    case code(Int)
    case ok
    case error

    init?(text: String) {
        switch text {
        case "ok": self = .ok
        case "error": self = .error
        default:
            guard (1...10).contains(text.utf8.count), text.utf8.allSatisfy({ $0.digit != nil }),
                let code = Int(text)
            else { return nil }
            self = .code(code)
        }
    }
}

/// A provider's error as posted, not yet read.
enum PostedError {
    /// A JSON object or array.
    case json([UInt8])
    case text(String)
}
