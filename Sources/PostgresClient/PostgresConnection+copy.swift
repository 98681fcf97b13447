internal import CLibPQ

/// `COPY`. Each wait for the server, or for room to send, is one round trip of ``Patience``.
extension PostgresConnection {
    /// Runs `COPY … TO STDOUT` and passes on what it returns, in pieces, in order.
    ///
    /// - Parameter receive: if it throws, the connection is abandoned, which ends the statement.
    /// - Returns: the number of rows.
    @discardableResult
    public func copyOut(
        _ file: SQLFile, to receive: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> Int64 {
        try beginCopy(file, PGRES_COPY_OUT)
        while let piece = nextPiece() {
            defer { PQfreemem(piece.baseAddress) }
            do {
                try receive(UnsafeRawBufferPointer(piece))
            } catch {
                isAbandoned = true
                throw error
            }
        }
        return try endCopy(file)
    }

    /// Runs `COPY … FROM STDIN` with what the body sends, in pieces of any length.
    ///
    /// - Parameter body: receives a function that sends one piece. If the body throws, nothing is copied.
    /// - Returns: the number of rows.
    @discardableResult
    public func copyIn(
        _ file: SQLFile, from body: (_ send: (UnsafeRawBufferPointer) throws -> Void) throws -> Void
    ) throws -> Int64 {
        try beginCopy(file, PGRES_COPY_IN)
        // libpq would keep all that the socket does not take.
        let mostUnsent = 1 << 16
        var unsent = 0
        do {
            try body { piece in
                let bytes = piece.assumingMemoryBound(to: CChar.self)
                guard PQputCopyData(connection, bytes.baseAddress, Int32(bytes.count)) == 1 else {
                    // The server has rejected a row, or is gone.
                    _ = PQputCopyEnd(connection, nil)
                    _ = try endCopy(file)
                    throw PostgresError.connectionLost(statement: file.name)
                }
                unsent += bytes.count
                guard unsent >= mostUnsent else { return }
                let limit = patience.limit(workDeadline)
                while PQflush(connection) == 1, exchange(sending: true, until: limit) {}
                if isAbandoned { _ = try endCopy(file) }
                unsent = 0
            }
        } catch {
            _ = PQputCopyEnd(connection, "the sender stopped")
            PQclear(lastResult(until: patience.limit(workDeadline)))
            throw error
        }
        _ = PQputCopyEnd(connection, nil)
        return try endCopy(file)
    }

    /// Sends the statement, which has no parameters.
    private func beginCopy(_ file: SQLFile, _ direction: ExecStatusType) throws(PostgresError) {
        _ = try run([])
        statementObserver?(.query(PostgresStatement(file)))
        let limit = patience.limit(workDeadline)
        let isSent = PQsendQuery(connection, schema.inserted(into: file.text)) == 1
        let result = isSent ? nextResult(until: limit) : nil
        let status = PQresultStatus(result)
        if status == direction { return PQclear(result) }
        // A statement that copies the other way would wait for rows, or for their reader.
        if status == PGRES_COPY_IN || status == PGRES_COPY_OUT { isAbandoned = true }
        PQclear(lastResult(until: limit))
        PQclear(try check(result, statement: file.name))
        throw .unexpectedResult(statement: file.name, detail: "it does not copy in this direction")
    }

    /// `nil` after the last piece; what ended them is the result that follows.
    private func nextPiece() -> UnsafeMutableRawBufferPointer? {
        let limit = patience.limit(workDeadline)
        while true {
            var bytes: UnsafeMutablePointer<CChar>?
            let count = PQgetCopyData(connection, &bytes, 1)
            if count > 0 { return UnsafeMutableRawBufferPointer(start: bytes, count: Int(count)) }
            guard count == 0, exchange(sending: false, until: limit) else { return nil }
        }
    }

    private func endCopy(_ file: SQLFile) throws(PostgresError) -> Int64 {
        let result = try check(lastResult(until: patience.limit(workDeadline)), statement: file.name)
        defer { PQclear(result) }
        return Int64(String(cString: PQcmdTuples(result))) ?? 0
    }
}
