/// One figure in proportion to another, which is comparable across machines.
struct Ratio: Sendable, Encodable {
    /// The name of a figure.
    let of: String
    /// The name of another figure, or of two that are combined.
    let to: String
    /// The name of `to` in the printed table.
    let toWhat: String
    /// The median of the rounds.
    let value: Double

    private enum CodingKeys: String, CodingKey {
        case of, to, value
    }
}
