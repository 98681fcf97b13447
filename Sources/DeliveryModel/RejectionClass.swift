/// The class of a rejection, which says which side can do something about it.
///
/// The order is the order of finality. If a notification has rejections of several classes (a throttled push that was tried again
/// and then rejected permanently), the class listed first here counts, whichever came first. So a row does not depend on the
/// order in which its responses are posted.
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

    /// Its place in the order of finality, from 0. It decides the bit in a stored state and the rank of a stored response, so a number
    /// never changes, and no two are the same.
    public var position: Int {
        switch self {
        case .tokenDead: 0
        case .tokenSuspect: 1
        case .wrongTopic: 2
        case .wrongEnvironment: 3
        case .payloadError: 4
        case .requestError: 5
        case .authError: 6
        case .throttled: 7
        case .providerError: 8
        case .unknown: 9
        }
    }

    static func at(_ position: Int) -> RejectionClass { byPosition[position] }

    private static let byPosition = allCases.sorted { $0.position < $1.position }
}
