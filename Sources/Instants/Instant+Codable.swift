/// Milliseconds since 1970, the format of instants in the ledger's evidence. Documents for people use RFC 3339 instead.
extension Instant: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(millisecondsSinceEpoch: try decoder.singleValueContainer().decode(Int64.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(millisecondsSinceEpoch)
    }
}
