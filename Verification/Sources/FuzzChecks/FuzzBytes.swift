/// Reads choices off the front of a fuzzer's bytes, so that small changes of them stay small changes of what they mean.
struct FuzzBytes {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// 0 at the end.
    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// As many as there are, at most.
    mutating func bytes(_ count: Int) -> [UInt8] {
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    mutating func all() -> [UInt8] { bytes(rest.count) }

    /// Eight bytes, filled up with zeros.
    mutating func number() -> UInt64 {
        (0..<8).reduce(0) { number, _ in number << 8 | UInt64(byte()) }
    }
}
