internal import Rendering

/// The reason why traffic could not be posted, written or compared.
enum SimulationProblem: Error, Equatable, CustomStringConvertible {
    case rejected(request: String, ServerProblem)
    case gaveUp(request: String, seconds: Int, reason: String)
    case unreadableResponse(request: String)
    /// The verdicts in the response do not add up to the items posted.
    case miscounted(posted: Int64, received: Int64)
    /// The server rejected items that the simulation counts as valid; their number by code.
    case rejectedItems([String: Int64])
    case notWritten(path: String, reason: String)
    case unknownKey
    case differs(count: Int)

    var description: String {
        switch self {
        case .rejected(let request, let problem):
            "the server rejected \(request): \(problem)"
        case .gaveUp(let request, let seconds, let reason):
            "\(request) was not accepted within \(seconds) s: \(reason). Is landfall-server running there? "
                + "--patience SECONDS waits longer"
        case .unreadableResponse(let request):
            "the response to \(request) is not that of a Landfall server: check --server"
        case .miscounted(let posted, let received):
            "\(posted) events were posted, but the server counted \(received): accepted + duplicates + "
                + "rejected must add up to all of them"
        case .rejectedItems(let rejections):
            "the server rejected \(grouped(rejections.values.reduce(0, +))) events, so it cannot know what "
                + "really happened: \(ReceivedCounts.inWords(rejections))"
        case .notWritten(let path, let reason):
            "\(path) could not be written: \(reason)"
        case .unknownKey:
            "the key is unknown to this database, or revoked: check that --database is the server's"
        case .differs(let count):
            "\(count) numbers differ from what really happened"
        }
    }
}
