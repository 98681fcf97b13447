public import Basics

/// How one sender's webhook is read: bytes in, items in the form of `POST /v1/events` out. Pure, without a
/// database.
public struct Preset: Sendable {
    /// The last part of the path, such as `gorush`.
    public let name: String
    /// What to configure in the sender, for the address of the hook and a hook key. If the sender cannot set
    /// header fields, the text has the key in the address.
    public let setup: @Sendable (_ url: String, _ key: String) -> String
    private let reader: @Sendable (PresetPost) -> PresetReading

    init(
        name: String, setup: @escaping @Sendable (_ url: String, _ key: String) -> String,
        reader: @escaping @Sendable (PresetPost) -> PresetReading
    ) {
        (self.name, self.setup, self.reader) = (name, setup, reader)
    }

    /// The items of a post, and the answer that its sender expects.
    ///
    /// Each record of the post is at least one item or one of ``PresetReading/skipped``. A post that the
    /// preset cannot read is one item, ``PresetItem/unread(code:detail:posted:)``.
    public func read(_ post: PresetPost) -> PresetReading { reader(post) }

    /// The form of the secret with which the sender signs its posts, in words; `nil` if it signs none.
    public var secretForm: String? {
        switch name {
        case "customerio": "the signing key of the reporting webhook"
        case "huawei": "USER:KEY, the callback user name and key of AppGallery Connect"
        default: nil
        }
    }

    /// Whether a text has the form of that secret.
    public func accepts(secret: String) -> Bool {
        switch name {
        case "customerio": !secret.isEmpty
        case "huawei": secret.split(separator: ":", maxSplits: 1).count == 2
        default: false
        }
    }

    public static let all: [Preset] = [.gorush, .onesignal, .customerio, .sns, .huawei, .expo]

    public static func named(_ name: String) -> Preset? { all.first { $0.name == name } }
}

public struct PresetPost: Sendable {
    /// Their names are in lower case.
    public var headers: [String: String]
    public var body: [UInt8]
    /// The secret with which the sender signs; `nil` if none is known, so no signature is checked.
    public var secret: String?
    /// When the post was received. Also the send time of pushes whose sender states none.
    public var now: Instant
    /// Reading stops soon after this many items, because the post is then rejected.
    public var mostItems: Int

    public init(
        headers: [String: String], body: [UInt8], secret: String?, now: Instant, mostItems: Int = .max
    ) {
        (self.headers, self.body, self.secret, self.now) = (headers, body, secret, now)
        self.mostItems = mostItems
    }
}

public struct PresetReading: Sendable {
    public var items: [PresetItem]
    public var answer: PresetAnswer
    /// A wrong signature, for example: then nothing is recorded, and the server responds with 401.
    public var fault: PresetFault?
    /// The number of records that are not about the outcome of a push, such as the metrics of e-mails, or
    /// that contain nothing, such as an empty list. They are ignored, and only a metric counts them.
    public var skipped: Int

    public init(
        items: [PresetItem], answer: PresetAnswer, fault: PresetFault? = nil, skipped: Int = 0
    ) {
        (self.items, self.answer, self.fault, self.skipped) = (items, answer, fault, skipped)
    }
}

/// The body of the 200 that a sender expects.
public struct PresetAnswer: Sendable {
    public var contentType: String
    public var body: [UInt8]

    public init(contentType: String, body: [UInt8]) {
        (self.contentType, self.body) = (contentType, body)
    }

    static func json(_ text: String) -> PresetAnswer {
        PresetAnswer(contentType: "application/json", body: Array(text.utf8))
    }
}

public struct PresetFault: Hashable, Sendable {
    public var code: String
    /// The mistake and its remedy.
    public var detail: String

    public init(code: String, detail: String) { (self.code, self.detail) = (code, detail) }
}

public enum PresetItem: Hashable, Sendable {
    /// The JSON of one item in the form of `POST /v1/events`.
    case event([UInt8])
    /// Goes to quarantine under the preset's name.
    ///
    /// `detail` names the remedy and quotes nothing. `posted` is a body that the preset reads by itself,
    /// without the texts that the push showed; a body that is not JSON is kept as it was posted.
    case unread(code: String, detail: String, posted: [UInt8])
}
