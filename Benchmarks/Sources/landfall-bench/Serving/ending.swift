/// Runs the body and then the end, whatever happens. When both go wrong, the body's error is the one worth knowing.
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
