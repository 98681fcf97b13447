/// What a connection is asked to do, in the order in which it is sent.
///
/// Parameters may hold device tokens, sealed or as fingerprints: an observer must not write them anywhere.
public enum ObservedStatement: Sendable {
    /// One statement with its parameters, which may be sent again as they are.
    case query(PostgresStatement)
    case begin
    case commit
    case rollback
}

/// Is called on the connection's thread, right before the statement is sent.
public typealias StatementObserver = @Sendable (ObservedStatement) -> Void
