/// A restart of the private cluster by a server, because PostgreSQL's programs were replaced while it ran.
public struct ClusterRestart: Hashable, Codable, Sendable {
    /// The version before the restart.
    public let from: String
    /// The version after the restart.
    public let to: String

    public init(from: String, to: String) {
        (self.from, self.to) = (from, to)
    }
}
