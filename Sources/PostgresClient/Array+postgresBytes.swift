extension Array where Element: PostgresValue {
    /// Reads the output of `array_send` (see `appendArrayHeader`). Returns `nil` for several dimensions, for
    /// nulls, and for bytes that are not an array of this type.
    public init?(postgresArrayBytes bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        func number() -> Int32? {
            guard rest.count >= 4 else { return nil }
            defer { rest = rest.dropFirst(4) }
            return Int32(postgresBytes: UnsafeRawBufferPointer(rebasing: rest.prefix(4)))
        }
        // The flag for nulls is skipped: it may be set although there are none, and a null's length is -1.
        guard let dimensions = number(), number() != nil, let oid = number(),
            UInt32(bitPattern: oid) == Element.postgresType.oid
        else { return nil }
        self = []
        if dimensions != 0 {
            guard dimensions == 1, let count = number(), number() != nil, count >= 0 else { return nil }
            for _ in 0..<count {
                guard let length = number(), length >= 0, rest.count >= Int(length),
                    let value = Element(
                        postgresBytes: UnsafeRawBufferPointer(rebasing: rest.prefix(Int(length))))
                else { return nil }
                append(value)
                rest = rest.dropFirst(Int(length))
            }
        }
        guard rest.isEmpty else { return nil }
    }
}
