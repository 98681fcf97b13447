/// Milliseconds since 1970, as the ledger keeps instants in its evidence. Documents for people write RFC 3339 instead.
extension Instant: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(millisecondsSinceEpoch: try decoder.singleValueContainer().decode(Int64.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(millisecondsSinceEpoch)
    }
}
