/// The content of the tables when a measurement begins.
struct Stage: Sendable, Encodable {
    let name: String
    /// Rows in `delivery`.
    let rows: Int

    static func all(_ settings: BenchSettings) -> [Stage] {
        let cold = Stage(name: "cold", rows: 0)
        guard settings.rows > 0 else { return [cold] }
        return [cold, Stage(name: "\(grouped(settings.rows)) rows", rows: settings.rows)]
    }
}
