/// Calls the body with a null-terminated array of C strings.
func withCStrings<Value>(
    _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Value
) -> Value {
    let bytes = strings.map { Array($0.utf8CString) }
    func descend(_ index: Int, _ pointers: [UnsafePointer<CChar>?]) -> Value {
        guard index < bytes.count else {
            return (pointers + [nil]).withUnsafeBufferPointer { body($0.baseAddress) }
        }
        return bytes[index].withUnsafeBufferPointer { descend(index + 1, pointers + [$0.baseAddress]) }
    }
    return descend(0, [])
}

/// Calls the body with the number of parameters, and a pointer, a length and a format (binary) for each; null
/// is a null pointer. Copies nothing.
func withPointers<Value>(
    to parameters: [PostgresParameter],
    _ body: (
        Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
    ) -> Value
) -> Value {
    let lengths = parameters.map { Int32($0.bytes?.count ?? 0) }
    let formats = [Int32](repeating: 1, count: parameters.count)
    var pointers = [UnsafePointer<CChar>?](repeating: nil, count: parameters.count)
    // An empty value needs a pointer too; otherwise it would be null.
    let empty: [UInt8] = [0]
    func descend(_ index: Int) -> Value {
        guard index < parameters.count else {
            return pointers.withUnsafeBufferPointer {
                body(Int32(parameters.count), $0.baseAddress, lengths, formats)
            }
        }
        guard let bytes = parameters[index].bytes else { return descend(index + 1) }
        return (bytes.isEmpty ? empty : bytes).withUnsafeBytes { buffer in
            pointers[index] = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            return descend(index + 1)
        }
    }
    return descend(0)
}
