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
