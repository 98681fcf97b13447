/// The class of a rejection, which says which side can do something about it.
///
/// The order is the order of finality. If a notification has rejections of several classes (a throttled push
/// that was tried again and then rejected permanently), the class listed first here counts, whichever came
/// first. So a row does not depend on the order in which its responses are posted.
public enum RejectionClass: String, CaseIterable, Decodable, Sendable {
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

    /// Its place by finality, from 0. It is in stored states and ranks, so the order never changes.
    public var position: Int { Self.inOrder.firstIndex(of: self) ?? Self.inOrder.endIndex }

    static func at(_ position: Int) -> RejectionClass { inOrder[position] }

    private static let inOrder = allCases
}
