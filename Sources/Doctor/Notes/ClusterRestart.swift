/// A restart of the private cluster by a server, because PostgreSQL's programs were replaced while it ran.
public struct ClusterRestart: Hashable, Codable, Sendable {
    public let from: String
    public let to: String

    public init(from: String, to: String) {
        (self.from, self.to) = (from, to)
    }
}
