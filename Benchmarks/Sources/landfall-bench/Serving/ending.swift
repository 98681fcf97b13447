/// Runs the body and then the end, also if the body throws. If both throw, the body's error is thrown.
func ending<Value>(_ end: () async throws -> Void, _ body: () async throws -> Value) async throws -> Value {
    let result: Result<Value, any Error>
    do {
        result = .success(try await body())
    } catch {
        result = .failure(error)
    }
    do {
        try await end()
    } catch {
        _ = try result.get()
        throw error
    }
    return try result.get()
}
