/// One figure in proportion to another: says how well the server does on any machine.
struct Ratio: Sendable, Encodable {
    /// The name of a figure.
    let of: String
    /// The name of another, or of two that are taken together.
    let to: String
    /// How people call the latter.
    let toWhat: String
    /// The median of the rounds.
    let value: Double

    private enum CodingKeys: String, CodingKey {
        case of, to, value
    }
}
