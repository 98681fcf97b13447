public import DeliveryModel
internal import PostgresClient

/// A response with which a provider rejected pushes, and what is known about it.
public struct RejectedAnswer: Hashable, Sendable {
    /// Whether the same push may be tried again. The raw value is the one in `provider_reason` and in JSON.
    public enum Retry: String, CaseIterable, Sendable {
        case no
        case afterDelay = "after_delay"
        case afterFix = "after_fix"
        case newConnection = "new_connection"
    }

    /// Empty if it was not kept.
    public let provider: String
    /// 0 if there was no response. `nil` if the words were not kept, for days that were dropped before responses were counted.
    public let status: Int32?
    /// Unchanged; `nil` if there was none.
    public let reason: String?
    public let rejectionClass: RejectionClass
    public let retry: Retry
    public let tokenVerdict: TokenVerdict

    /// - Parameters:
    ///   - retry: `nil` if the response is on no list.
    ///   - tokenVerdict: `nil` if the response is on no list; it then harms no token.
    public init(
        provider: String, status: Int32?, reason: String?, rejectionClass: RejectionClass, retry: Retry?,
        tokenVerdict: TokenVerdict?
    ) {
        self.provider = provider
        self.status = status
        self.reason = reason
        self.rejectionClass = rejectionClass
        self.retry = retry ?? .no
        self.tokenVerdict = tokenVerdict ?? .keep
    }

    /// Reads a row of `rejections.sql` or `refusal_answers.sql`.
    init(_ row: PostgresRow) throws(PostgresError) {
        let name: String = try row.get("outcome_class")
        let retry: String? = try row.getOptional("retryable")
        let verdict: String? = try row.getOptional("token_verdict")
        self.init(
            provider: try row.get("provider"), status: try row.getOptional("status"),
            reason: try row.getOptional("reason"), rejectionClass: RejectionClass(rawValue: name) ?? .unknown,
            retry: retry.flatMap(Retry.init(rawValue:)),
            tokenVerdict: verdict.flatMap(TokenVerdict.init(rawValue:)))
    }

    /// `apns 410 Unregistered`.
    public var words: String {
        let status = status.map { $0 == 0 ? "no response" : String($0) } ?? "(not kept)"
        return [provider, status, reason ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    }
}

extension RejectedAnswer {
    var json: JSONValue {
        [
            "provider": .string(provider),
            "status": .optional(status.map(Int64.init)),
            "reason": .optional(reason),
            "class": .string(rejectionClass.rawValue),
        ]
    }

    var adviceJSON: JSONValue {
        [
            "retryable": .string(retry.rawValue),
            "token_verdict": .string(tokenVerdict.rawValue),
            "text": .string(advice),
        ]
    }
}
