internal import CLibPQ

/// Collects rows that arrive one at a time into one result.
final class CollectedRows {
    private var result: OpaquePointer?

    deinit {
        PQclear(result)
    }

    var count: Int { Int(PQntuples(result)) }

    /// Adds the only row of a result. Returns false if memory is insufficient.
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

    /// Returns all rows, and passes their ownership to the caller; `nil` if there are none.
    func take() -> OpaquePointer? {
        defer { result = nil }
        return result
    }
}
