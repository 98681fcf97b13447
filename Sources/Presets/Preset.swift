public import Basics

/// How one sender's webhook is read: pure, without a database.
public struct Preset: Sendable {
    /// The last part of the path, such as `gorush`.
    public let name: String
    /// The text of `GET /v1/intake/{preset}`: what to configure in the sender, for the address of the hook.
    public let setup: @Sendable (_ url: String) -> String
    private let reader: @Sendable (PresetPost) -> PresetReading

    /// The items of a post, and the answer that its sender expects.
    public func read(_ post: PresetPost) -> PresetReading { reader(post) }

    public static let all: [Preset] = [.onesignal]

    public static func named(_ name: String) -> Preset? { all.first { $0.name == name } }
}

public struct PresetPost: Sendable {
    /// Values by lower-case name.
    public var headers: [String: String]
    public var body: [UInt8]
    /// The secret with which the sender signs; `nil` if none is known, so no signature is checked.
    public var secret: String?
    public var now: Instant

    public init(headers: [String: String], body: [UInt8], secret: String?, now: Instant) {
        (self.headers, self.body, self.secret, self.now) = (headers, body, secret, now)
    }
}

public struct PresetReading: Sendable {
    public var items: [PresetItem]
    public var answer: PresetAnswer
    /// A wrong signature, for example: then nothing is recorded, and the server responds with 401.
    public var fault: PresetFault?
    /// The number of records that are not about the outcome of a push, such as the metrics of e-mails. They
    /// are not kept.
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
}

public struct PresetFault: Sendable {
    public var code: String
    public var detail: String

    public init(code: String, detail: String) { (self.code, self.detail) = (code, detail) }
}

public enum PresetItem: Sendable {
    /// The JSON of one item in the form of `POST /v1/events`.
    case event([UInt8])
    /// Goes to quarantine under the preset's name. `posted` is a body that the preset can read by itself.
    case unread(code: String, detail: String, posted: [UInt8])
}

extension Preset {
    /// The body is one item in Landfall's own form, because OneSignal's users write it themselves.
    static let onesignal = Preset(
        name: "onesignal",
        setup: { "OneSignal, Event Streams: POST \($0), with the body in the form of POST /v1/events.\n" },
        reader: { post in
            let answer = PresetAnswer(contentType: "application/json", body: Array("{}".utf8))
            guard post.body.first == UInt8(ascii: "{") else {
                let unread = PresetItem.unread(
                    code: "invalid_json", detail: "the body is not a JSON object", posted: post.body)
                return PresetReading(items: [unread], answer: answer)
            }
            return PresetReading(items: [.event(post.body)], answer: answer)
        })
}
