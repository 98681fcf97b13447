/// Something to do once, at an exact moment of some connection.
struct Trap: Sendable {
    let moment: FaultProxy.Moment
    let fault: FaultProxy.Fault
    let sprung: AsyncStream<Void>.Continuation
}

extension FaultProxy {
    /// When a trap springs.
    public enum Moment: Sendable, Equatable {
        /// After so many bytes from Landfall have passed, counted from now.
        case sent(Int)
        /// After so many bytes from PostgreSQL have passed, counted from now.
        case answered(Int)
        /// A COMMIT has been seen, and has not reached PostgreSQL.
        case beforeCommit
        /// A COMMIT has been carried out, and Landfall does not know it.
        case beforeAnswerToCommit
    }

    /// What becomes of the connection.
    public enum Fault: Sendable {
        /// Both sides see an orderly end of the stream.
        case cut
        /// Landfall sees a reset. PostgreSQL sees the end of the stream: Unix sockets know no reset.
        case reset
        /// Nothing passes any more, on any connection, until `resume()`.
        case stall
        /// Nothing: the test only wants to know.
        case none
    }
}
