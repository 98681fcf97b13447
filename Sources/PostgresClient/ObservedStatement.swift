/// A step of a connection's work, in the order of sending.
///
/// Parameters may contain device tokens, sealed or as fingerprints: an observer must not write them anywhere.
public enum ObservedStatement: Sendable {
    /// One statement with its parameters, which may be sent again unchanged.
    case query(PostgresStatement)
    case begin
    case commit
    case rollback
}

/// Called on the connection's thread, right before the statement is sent.
public typealias StatementObserver = @Sendable (ObservedStatement) -> Void
