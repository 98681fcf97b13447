/// A fault that happens once, at an exact moment of some connection.
struct Trap: Sendable {
    let moment: FaultProxy.Moment
    let fault: FaultProxy.Fault
    let sprung: AsyncStream<Void>.Continuation
}

extension FaultProxy {
    /// The moment at which a trap springs.
    public enum Moment: Sendable, Equatable {
        /// After this many more bytes from Landfall have passed.
        case sent(Int)
        /// After this many more bytes from PostgreSQL have passed.
        case responded(Int)
        /// A COMMIT was sent and has not reached PostgreSQL.
        case beforeCommit
        /// A COMMIT was carried out, and Landfall does not know it yet.
        case beforeResponseToCommit
    }

    /// The fault of the connection.
    public enum Fault: Sendable {
        /// Both sides see an orderly end of the stream.
        case cut
        /// Landfall sees a reset. PostgreSQL sees the end of the stream: Unix sockets have no reset.
        case reset
        /// Nothing passes any more, on any connection, until `resume()`.
        case stall
        /// Nothing: the test only waits for the moment.
        case none
    }
}
