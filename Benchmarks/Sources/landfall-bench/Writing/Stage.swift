/// What the tables hold when a measurement begins.
struct Stage: Sendable, Encodable {
    /// For people.
    let name: String
    /// In `delivery`.
    let rows: Int

    static func all(_ settings: BenchSettings) -> [Stage] {
        let cold = Stage(name: "cold", rows: 0)
        guard settings.rows > 0 else { return [cold] }
        return [cold, Stage(name: "\(grouped(settings.rows)) rows", rows: settings.rows)]
    }
}
