public import Instants

/// A finding of an app that the console does not show among today's problems until an instant.
public struct FindingMute: Hashable, Sendable {
    public let finding: Finding.ID
    public let until: Instant
    /// The name of the person.
    public let mutedBy: String
    public let createdAt: Instant
}
