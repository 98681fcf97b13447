internal import NIOCore

/// An address of 128 bits. An IPv4 address is mapped to IPv6 (`::ffff:a.b.c.d`), so both forms are equal.
struct IPAddress: Hashable, Sendable {
    let high: UInt64
    let low: UInt64
}

extension IPAddress {
    /// The address of callers that have none, such as those on a Unix socket.
    static let absent = IPAddress(high: 0, low: 0)

    static let v4Prefix: UInt64 = 0xFFFF_0000_0000

    init?(_ socket: SocketAddress) {
        let isV4 = socket.protocol == .inet
        guard isV4 || socket.protocol == .inet6 else { return nil }
        self = socket.withSockAddr { address, size in
            let bytes = UnsafeRawBufferPointer(start: address, count: size)
            // The offsets of the address in sockaddr_in and sockaddr_in6, on Linux and on macOS.
            guard !isV4 else {
                let number = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
                return IPAddress(high: 0, low: Self.v4Prefix | UInt64(number))
            }
            return IPAddress(
                high: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
                low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)))
        }
    }

    /// Returns `nil` if the text is not a numeric address.
    init?(_ text: some StringProtocol) {
        guard let socket = try? SocketAddress(ipAddress: String(text), port: 0) else { return nil }
        self.init(socket)
    }

    var isV4: Bool { high == 0 && low >> 32 == 0xFFFF }

    /// The network that counts as one caller: a client with one IPv6 address usually has the whole /64.
    var network: IPAddress { isV4 ? self : IPAddress(high: high, low: 0) }

    /// The /48 of an IPv6 address: what one customer has at most, as a rule. `nil` for IPv4.
    var site: IPAddress? { isV4 ? nil : IPAddress(high: high & ~0xFFFF, low: 0) }

    /// All that one client may have: the site of an IPv6 address, otherwise the address.
    var client: IPAddress { site ?? self }

    /// Whether only this machine has the address: 127.0.0.0/8 or ::1.
    var isLoopback: Bool { isV4 ? low >> 24 & 0xFF == 127 : high == 0 && low == 1 }

    /// As people write it; empty if there is none.
    var text: String {
        guard self != .absent else { return "" }
        guard !isV4 else { return (0..<4).map { String(low >> (24 - 8 * $0) & 0xFF) }.joined(separator: ".") }
        let bytes = [high, low].flatMap { half in
            (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) }
        }
        let socket = try? SocketAddress(packedIPAddress: ByteBuffer(bytes: bytes), port: 0)
        return socket?.ipAddress ?? ""
    }
}

/// Addresses with a common prefix: `10.0.0.0/8`, `fd00::/8`, or one address.
public struct AddressRange: Hashable, Sendable {
    private let first: IPAddress
    private let prefixLength: Int

    /// Returns `nil` if the text is neither an address nor a range in CIDR notation.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ IPAddress($0) }) else { return nil }
        let skipped = address.isV4 ? 96 : 0
        var length = 128
        if parts.count == 2 {
            guard let bits = Int(parts[1]), (0...128 - skipped).contains(bits) else { return nil }
            length = bits + skipped
        }
        prefixLength = length
        first = Self.cut(address, to: length)
    }

    func contains(_ address: IPAddress) -> Bool {
        Self.cut(address, to: prefixLength) == first
    }

    private static func cut(_ address: IPAddress, to length: Int) -> IPAddress {
        // In Swift, a shift by the whole width or more gives 0.
        IPAddress(
            high: address.high & ~(UInt64.max >> min(length, 64)),
            low: address.low & ~(UInt64.max >> max(length - 64, 0)))
    }
}
