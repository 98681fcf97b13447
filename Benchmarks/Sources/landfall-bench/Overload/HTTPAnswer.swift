/// What the load generator wants to know of an answer.
struct HTTPAnswer: Equatable, Sendable {
    let status: Int
    /// Events that the server says it accepted.
    let accepted: Int
    /// The server wants no further request on this connection.
    let closes: Bool
}
