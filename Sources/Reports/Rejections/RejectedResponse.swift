public import DeliveryModel

/// A response with which a provider rejected pushes, and what is known about it.
public struct RejectedResponse: Hashable, Decodable, Sendable {
    /// Whether the same push may be tried again. The raw value is the one in `provider_reason` and in JSON.
    public enum Retry: String, CaseIterable, Decodable, Sendable {
        case no
        case afterDelay = "after_delay"
        case afterFix = "after_fix"
        case newConnection = "new_connection"
    }

    public let provider: String
    /// 0 if the provider did not respond.
    public let status: Int32
    /// Unchanged; `nil` if there was none.
    public let reason: String?
    public let rejectionClass: RejectionClass
    public let retry: Retry
    public let tokenVerdict: TokenVerdict

    /// - Parameters:
    ///   - retry: `nil` if the response is on no list.
    ///   - tokenVerdict: `nil` if the response is on no list; it then harms no token.
    public init(
        provider: String, status: Int32, reason: String?, rejectionClass: RejectionClass, retry: Retry?,
        tokenVerdict: TokenVerdict?
    ) {
        self.provider = provider
        self.status = status
        self.reason = reason
        self.rejectionClass = rejectionClass
        self.retry = retry ?? .no
        self.tokenVerdict = tokenVerdict ?? .keep
    }

    /// `apns 410 Unregistered`.
    public var words: String {
        let status = status == 0 ? "no response" : String(status)
        return [provider, status, reason ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    }
}
