public import Foundation

/// A Swift value with a binary format in PostgreSQL.
public protocol PostgresValue: Sendable {
    static var postgresType: PostgresType { get }
    /// Appends the value in its wire format, without its length.
    func encode(into bytes: inout [UInt8])
    /// Reads a value from the server. Returns `nil` if the bytes are not of this type.
    init?(postgresBytes bytes: UnsafeRawBufferPointer)
}

extension PostgresValue {
    /// Appends the value as an element of an array or a field of a row: after its length.
    func encodeBehindLength(into bytes: inout [UInt8]) {
        let position = bytes.count
        Int32(0).encode(into: &bytes)
        encode(into: &bytes)
        let length = Int32(bytes.count - position - 4)
        bytes.withUnsafeMutableBytes {
            $0.storeBytes(of: length.bigEndian, toByteOffset: position, as: Int32.self)
        }
    }
}

/// The object ids of a type and of its array, as fixed in PostgreSQL's catalog (`pg_type.dat`).
public struct PostgresType: Hashable, Sendable {
    let oid: UInt32
    let arrayOID: UInt32

    static let bool = PostgresType(oid: 16, arrayOID: 1000)
    static let bytea = PostgresType(oid: 17, arrayOID: 1001)
    static let int8 = PostgresType(oid: 20, arrayOID: 1016)
    static let int2 = PostgresType(oid: 21, arrayOID: 1005)
    static let int4 = PostgresType(oid: 23, arrayOID: 1007)
    static let text = PostgresType(oid: 25, arrayOID: 1009)
    static let float8 = PostgresType(oid: 701, arrayOID: 1022)
    static let timestamptz = PostgresType(oid: 1184, arrayOID: 1185)
    static let uuid = PostgresType(oid: 2950, arrayOID: 2951)
}

/// A `timestamptz`. The server's microseconds are truncated to milliseconds. An instant outside PostgreSQL's
/// range is written as its first or last instant.
extension Instant: PostgresValue {
    public static var postgresType: PostgresType { .timestamptz }

    /// 2000-01-01 00:00 UTC, from which PostgreSQL counts microseconds, in milliseconds since 1970.
    private static let postgresEpoch: Int64 = 946_684_800_000
    /// 4713 BC to 294276 AD, in milliseconds from 2000-01-01.
    private static let postgresRange: ClosedRange<Int64> = -211_813_488_000_000...9_223_371_331_199_999

    public func encode(into bytes: inout [UInt8]) {
        let elapsed = millisecondsSinceEpoch.subtractingReportingOverflow(Self.postgresEpoch)
        let milliseconds = elapsed.overflow ? Int64.min : elapsed.partialValue
        let clamped = min(max(milliseconds, Self.postgresRange.lowerBound), Self.postgresRange.upperBound)
        (clamped * 1_000).encode(into: &bytes)
    }

    public init?(postgresBytes bytes: UnsafeRawBufferPointer) {
        guard let microseconds = Int64(postgresBytes: bytes) else { return nil }
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000)
        self.init(millisecondsSinceEpoch: (remainder < 0 ? quotient - 1 : quotient) + Self.postgresEpoch)
    }
}

extension PostgresValue where Self: FixedWidthInteger {
    public func encode(into bytes: inout [UInt8]) {
        withUnsafeBytes(of: bigEndian) { bytes.append(contentsOf: $0) }
    }

    public init?(postgresBytes bytes: UnsafeRawBufferPointer) {
        guard bytes.count == MemoryLayout<Self>.size else { return nil }
        self.init(bigEndian: bytes.loadUnaligned(as: Self.self))
    }
}

extension Int16: PostgresValue {
    public static var postgresType: PostgresType { .int2 }
}

extension Int32: PostgresValue {
    public static var postgresType: PostgresType { .int4 }
}

extension Int64: PostgresValue {
    public static var postgresType: PostgresType { .int8 }
}

extension Double: PostgresValue {
    public static var postgresType: PostgresType { .float8 }
    public func encode(into bytes: inout [UInt8]) { Int64(bitPattern: bitPattern).encode(into: &bytes) }
    public init?(postgresBytes bytes: UnsafeRawBufferPointer) {
        guard let bits = Int64(postgresBytes: bytes) else { return nil }
        self.init(bitPattern: UInt64(bitPattern: bits))
    }
}

extension Bool: PostgresValue {
    public static var postgresType: PostgresType { .bool }
    public func encode(into bytes: inout [UInt8]) { bytes.append(self ? 1 : 0) }
    public init?(postgresBytes bytes: UnsafeRawBufferPointer) {
        guard let byte = bytes.first, bytes.count == 1 else { return nil }
        self = byte != 0
    }
}

extension String: PostgresValue {
    public static var postgresType: PostgresType { .text }
    public func encode(into bytes: inout [UInt8]) { bytes.append(contentsOf: utf8) }
    /// Decodes and compares: `String(validating:as:)`, unspecialized for bytes, took 4 % of a writer's time.
    public init?(postgresBytes bytes: UnsafeRawBufferPointer) {
        self.init(decoding: bytes, as: UTF8.self)
        guard withUTF8({ UnsafeRawBufferPointer($0).elementsEqual(bytes) }) else { return nil }
    }
}

extension UUID: PostgresValue {
    public static var postgresType: PostgresType { .uuid }
    public func encode(into bytes: inout [UInt8]) {
        withUnsafeBytes(of: uuid) { bytes.append(contentsOf: $0) }
    }
    public init?(postgresBytes bytes: UnsafeRawBufferPointer) {
        guard bytes.count == MemoryLayout<uuid_t>.size else { return nil }
        self.init(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }
}

extension [UInt8]: PostgresValue {
    public static var postgresType: PostgresType { .bytea }
    public func encode(into bytes: inout [UInt8]) { bytes.append(contentsOf: self) }
    public init?(postgresBytes bytes: UnsafeRawBufferPointer) { self.init(bytes) }
}
