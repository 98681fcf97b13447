internal import DeliveryModel

extension RejectedAnswer {
    /// What to do about it, in one sentence. Hangs on the class, the verdict on the token and whether trying again helps, and
    /// on no provider's words: these stand in `provider_reason`.
    public var advice: String { "\(remedy); \(again)." }

    private var remedy: String {
        switch rejectionClass {
        case .tokenDead: "Stop sending to these tokens: \(fate)"
        case .tokenSuspect:
            "Compare topic and environment of the push with those of the build that registered the tokens: \(fate)"
        case .wrongTopic: "Send with the topic (bundle id) of the app that registered the tokens"
        case .wrongEnvironment:
            "Use the key or certificate, and the host, of the environment that the build was signed for"
        case .payloadError: "Mend the payload: its size or its fields"
        case .requestError: "Mend the request: a header, the path or a value"
        case .authError: "Renew or replace the key or certificate that the sender shows"
        case .throttled: "Send more slowly, and less often to one device"
        case .providerError: "There is nothing to mend on this side"
        case .unknown:
            status == 0
                ? "Look at the sender's network and time limits: no answer came, the push may have been sent"
                : "Look the answer up at the provider: no list here knows what it means"
        }
    }

    private var fate: String {
        switch tokenVerdict {
        case .keep: "they are kept here all the same"
        case .suspect: "they are suspect here until a push to them is accepted"
        case .invalidate: "they are retired here"
        case .invalidateIfNotReregistered:
            "they are retired here unless the app has registered them again since"
        }
    }

    private var again: String {
        switch retry {
        case .no: "trying the same push again will not help"
        case .afterDelay: "try again later, with growing pauses"
        case .afterFix: "try again when that is done"
        case .newConnection: "try again on a new connection"
        }
    }
}
