/// Reads an array as PostgreSQL's `array_recv` does (src/backend/utils/adt/arrayfuncs.c), and rejects the
/// same input.
struct ReceivedArray {
    /// `nil` means null.
    private(set) var elements: [[UInt8]?] = []
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8], elementType: UInt32) throws(FuzzFinding) {
        rest = bytes[...]
        let dimensions = try number()
        try FuzzFinding.require((0...1).contains(dimensions), "\(dimensions) dimensions")
        let flags = try number()
        try FuzzFinding.require((0...1).contains(flags), "flags \(flags)")
        let type = try number()
        try FuzzFinding.require(UInt32(bitPattern: type) == elementType, "elements of type \(type)")
        if dimensions == 1 { try readElements(mayBeNull: flags == 1) }
        try FuzzFinding.require(rest.isEmpty, "\(rest.count) bytes after the array")
    }

    private mutating func readElements(mayBeNull: Bool) throws(FuzzFinding) {
        let count = try number()
        try FuzzFinding.require(count > 0, "a dimension of \(count)")
        let lowerBound = try number()
        try FuzzFinding.require(lowerBound == 1, "a lower bound of \(lowerBound)")
        for _ in 0..<count {
            let length = try number()
            guard length != -1 else {
                try FuzzFinding.require(mayBeNull, "a null that was not announced")
                elements.append(nil)
                continue
            }
            try FuzzFinding.require((0...Int32(rest.count)).contains(length), "an element of \(length) bytes")
            elements.append(Array(rest.prefix(Int(length))))
            rest = rest.dropFirst(Int(length))
        }
    }

    private mutating func number() throws(FuzzFinding) -> Int32 {
        try FuzzFinding.require(rest.count >= 4, "an array that ends too early")
        defer { rest = rest.dropFirst(4) }
        return Int32(bitPattern: rest.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
    }
}
