internal import CLibPQ

/// Rows that come one at a time, put together into one result.
final class CollectedRows {
    private var result: OpaquePointer?

    deinit {
        PQclear(result)
    }

    var count: Int { Int(PQntuples(result)) }

    /// Adds the only row of a result. False when there is no memory for it.
    func append(_ row: OpaquePointer) -> Bool {
        if result == nil { result = PQcopyResult(row, PG_COPYRES_ATTRS) }
        guard let result else { return false }
        let index = PQntuples(result)
        return (0..<PQnfields(row)).allSatisfy { column in
            let isNull = PQgetisnull(row, 0, column) == 1
            return PQsetvalue(
                result, index, column, isNull ? nil : PQgetvalue(row, 0, column),
                isNull ? -1 : PQgetlength(row, 0, column)) == 1
        }
    }

    /// All of them, which are the caller's to clear from now on; nil without any.
    func take() -> OpaquePointer? {
        defer { result = nil }
        return result
    }
}
