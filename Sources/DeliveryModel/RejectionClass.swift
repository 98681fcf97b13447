/// What kind of answer a rejection is: which side can do something about it.
///
/// The order is the order of finality. When a notification collected rejections of several classes (a throttled push that
/// was tried again and then refused for good), the one listed first here is the one that counts, whichever came first;
/// that keeps a row independent of the order in which its answers are posted.
public enum RejectionClass: String, CaseIterable, Sendable {
    case tokenDead = "token_dead"
    case tokenSuspect = "token_suspect"
    case wrongTopic = "wrong_topic"
    case wrongEnvironment = "wrong_environment"
    case payloadError = "payload_error"
    case requestError = "request_error"
    case authError = "auth_error"
    case throttled
    case providerError = "provider_error"
    case unknown

    /// Where it is in the order of finality, from 0: its bit in a notification's state and its rank among answers.
    var position: Int {
        guard let position = Self.allCases.firstIndex(of: self) else {
            preconditionFailure("every class is one of all cases")
        }
        return position
    }
}
