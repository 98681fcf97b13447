internal import Foundation
internal import Instants

/// A provider's error, read as the provider sent it, so that a sender needs no code to parse it.
///
/// - FCM: the error object of the HTTP v1 API (https://firebase.google.com/docs/reference/fcm/rest/v1/FcmError), alone or under
///   `error`, or the error of firebase-admin for Node, whose `code` is a word.
/// - APNs, and Web Push at Apple: a body with `reason` and `timestamp`.
/// - Expo: a ticket or receipt.
/// - HMS: `code` and `msg`.
/// - Others, and errors in plain text: their first word or line.
struct ProviderError: Equatable {
    /// An HTTP status, if the error has one.
    var status: Int?
    var reason: String?
    /// APNs: when the token became invalid.
    var timestamp: Instant?

    static let longestReason = 100

    init() {}

    /// - Parameter provider: the name in Landfall's spelling, see ``Provider``.
    /// - Throws: if a `timestamp` is in a unit other than milliseconds.
    init(_ posted: PostedError, provider: String) throws(ItemRejection) {
        switch posted {
        case .json(let bytes):
            try read(json: Data(bytes), provider)
        case .text(let text):
            let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
            if trimmed.hasPrefix("{") || trimmed.hasPrefix("[") {
                try read(json: Data(trimmed.utf8), provider)
            } else {
                reason = Self.firstLine(of: trimmed)
            }
        }
    }

    private mutating func read(json: Data, _ provider: String) throws(ItemRejection) {
        guard let value = try? JSONSerialization.jsonObject(with: json), let error = Self.object(in: value)
        else { return }
        switch provider {
        case "fcm": read(fcm: error)
        case "expo": read(expo: error)
        case "hms": read(hms: error)
        default: try read(body: error)
        }
    }

    /// The error itself, without the arrays and objects around it.
    private static func object(in value: Any) -> [String: Any]? {
        if let values = value as? [Any] { return values.first.flatMap(object) }
        guard let object = value as? [String: Any] else { return nil }
        for key in ["error", "errorInfo", "errors", "data"] {
            if let inner = object[key], inner is [Any] || inner is [String: Any] {
                return Self.object(in: inner)
            }
        }
        return object
    }

    private static func firstLine(of text: String) -> String? {
        let line = text.split(whereSeparator: \.isNewline).first.map { String($0.prefix(longestReason)) }
        return line.flatMap { $0.contains("\0") ? nil : $0 }
    }

    private static func word(_ value: Any?) -> String? {
        switch value {
        case let text as String: firstLine(of: text)
        case let number as NSNumber: number.stringValue
        default: nil
        }
    }
}

// MARK: - By provider

extension ProviderError {
    /// `details[].errorCode` is FCM's own code. `status` is Google's for a class of errors and says less: a 404 `NOT_FOUND`
    /// without an FCM code means a wrong project, not a dead token.
    private mutating func read(fcm error: [String: Any]) {
        status = (error["code"] as? NSNumber)?.intValue
        let details = (error["details"] as? [[String: Any]]) ?? []
        let code = (details.compactMap { $0["errorCode"] as? String }.first ?? error["code"] as? String)
            .flatMap(Self.firstLine)
        let google = Self.word(error["status"])
        switch code ?? google {
        case "INVALID_ARGUMENT": reason = Self.invalidArgument(details, message: error["message"] as? String)
        case "NOT_FOUND" where code == nil: reason = "NOT_FOUND without FcmError"
        case let word: reason = word ?? Self.word(error["message"])
        }
    }

    /// The invalid field decides whether the token is in doubt: `provider_reason` has a row for each case.
    private static func invalidArgument(_ details: [[String: Any]], message: String?) -> String {
        let violations = details.flatMap { ($0["fieldViolations"] as? [[String: Any]]) ?? [] }
        let namesToken = violations.contains { ($0["field"] as? String)?.hasSuffix("token") ?? false }
        if namesToken || message?.contains("not a valid FCM registration token") ?? false {
            return "INVALID_ARGUMENT+message not a valid FCM registration token"
        }
        return violations.isEmpty ? "INVALID_ARGUMENT" : "INVALID_ARGUMENT+BadRequest"
    }

    /// https://docs.expo.dev/push-notifications/sending-notifications/#individual-errors
    private mutating func read(expo error: [String: Any]) {
        let details = error["details"] as? [String: Any]
        reason = Self.word(details?["error"]) ?? Self.word(error["code"]) ?? Self.word(error["message"])
    }

    /// https://developer.huawei.com/consumer/en/doc/HMSCore-References/https-send-api-0000001050986197
    private mutating func read(hms error: [String: Any]) {
        reason = Self.word(error["code"]) ?? Self.word(error["msg"])
    }

    private mutating func read(body error: [String: Any]) throws(ItemRejection) {
        reason =
            Self.word(error["reason"]) ?? Self.word(error["error"]) ?? Self.word(error["message"])
            ?? Self.word(error["code"])
        guard let posted = error["timestamp"], !(posted is NSNull) else { return }
        guard let posted = Self.instant(posted) else {
            throw ItemRejection(.invalidInstant, "error.timestamp \(PostedInstant.requirement)")
        }
        timestamp = posted.instant
    }

    /// A number of milliseconds, also as a string, or RFC 3339.
    private static func instant(_ posted: Any) -> PostedInstant? {
        let text = posted as? String
        if let milliseconds = (posted as? NSNumber)?.int64Value ?? text.flatMap(Int64.init) {
            return PostedInstant(Instant(millisecondsSinceEpoch: milliseconds))
        }
        return text.flatMap { Instant(rfc3339: $0) }.flatMap(PostedInstant.init)
    }
}
