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

extension RejectedResponse {
    /// The action to take, in one sentence. Depends on the class, the verdict on the token and
    /// whether a retry helps, but not on any provider's words: these are in `provider_reason`.
    public var advice: String { "\(remedy); \(again)." }

    private var remedy: String {
        switch rejectionClass {
        case .tokenDead: "Stop sending to these tokens: \(fate)"
        case .tokenSuspect:
            "Compare the topic and environment of the push with those of the build that registered the tokens: \(fate)"
        case .wrongTopic: "Send with the topic (bundle id) of the app that registered the tokens"
        case .wrongEnvironment:
            "Use the key or certificate, and the host, of the environment that the build was signed for"
        case .payloadError: "Fix the payload: its size or its fields"
        case .requestError: "Fix the request: a header, the path or a value"
        case .authError: "Renew or replace the key or certificate that the sender uses"
        case .throttled: "Send more slowly, and less often to one device"
        case .providerError where isUnanswered, .unknown where isUnanswered:
            "Check the sender's network and timeouts: without a response, the push may have been sent"
        case .providerError: "There is nothing to fix on the sender's side"
        case .unknown:
            "Look up the response in the provider's documentation: Landfall does not know it"
        }
    }

    /// The request got no response; the reason is the sender's own.
    private var isUnanswered: Bool { status == 0 && !Provider.hasCodes(provider) }

    private var fate: String {
        switch tokenVerdict {
        case .keep: "Landfall keeps them nevertheless"
        case .suspect: "Landfall treats them as suspect until a push to them is accepted"
        case .invalidate: "Landfall has retired them"
        case .invalidateIfNotReregistered:
            "Landfall has retired them unless the app has registered them again since"
        }
    }

    private var again: String {
        switch retry {
        case .no: "sending the same push again will not help"
        case .afterDelay: "try again later, with increasing delays"
        case .afterFix: "try again when that is done"
        case .newConnection: "try again on a new connection"
        }
    }
}
