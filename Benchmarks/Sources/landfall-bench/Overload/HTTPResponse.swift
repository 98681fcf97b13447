/// The parts of an HTTP response that the load generator needs.
struct HTTPResponse: Equatable, Sendable {
    let status: Int
    /// Events that the server reported as accepted.
    let accepted: Int
    /// The server accepts no further request on this connection.
    let closes: Bool
}
