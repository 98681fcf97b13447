/// One rate in proportion to another, both of the same run: comparable across machines.
struct Ratio: Sendable, Encodable {
    let what: String
    /// The names of the figures whose rate is divided.
    let of: [String]
    /// The names of the figures whose rate it is divided by.
    let to: [String]
    /// The least that is required; `nil` if nothing is.
    let must: Double?
    /// The least that is aimed at.
    let aim: Double?
    /// The median of the rounds; `nil` if it was not measured.
    private(set) var value: Double?

    /// All ratios, in the order of the table. docs/development.md explains them.
    private static let all: [Ratio] = [
        Ratio("bulk responses / SQL", "http_bulk_responses", "sql_responses", must: 0.5, aim: 0.75),
        Ratio("bulk arrivals / SQL", "http_bulk_arrivals", "sql_arrivals", must: 0.5, aim: 0.75),
        Ratio(
            "bulk responses / SQL on as many connections", "http_bulk_responses", "sql_responses_concurrent",
            must: 0.5, aim: 0.75),
        Ratio(
            "bulk arrivals / SQL on as many connections", "http_bulk_arrivals", "sql_arrivals_concurrent",
            must: 0.5, aim: 0.75),
        Ratio("single responses / no-op", "http_single_responses", "http_no_op", must: 0.35, aim: 0.5),
        Ratio("single arrivals / no-op", "http_single_arrivals", "http_no_op", must: 0.35, aim: 0.5),
        Ratio(
            "duplicates / first run", "http_bulk_repeated", "http_bulk_responses", "http_bulk_arrivals",
            must: 1.5),
        Ratio("responses, all 410 / all 200", "http_bulk_all_dead", "http_bulk_all_accepted", must: 0.5),
        Ratio("overload: goodput / capacity", "http_overload", "http_capacity", must: 0.8),
        Ratio("writer, responses / SQL", "writer_responses", "sql_responses"),
        Ratio("writer, arrivals / SQL", "writer_arrivals", "sql_arrivals"),
        Ratio("writer, both again / SQL", "writer_repeated", "sql_repeated"),
    ]

    private init(
        _ what: String, _ of: String, _ to: String..., must: Double? = nil, aim: Double? = nil
    ) {
        self.what = what
        self.of = [of]
        self.to = to
        self.must = must
        self.aim = aim
    }

    /// The ratios of these figures; those of several rounds have the same name.
    static func measured(in rounds: [Figure]) -> [Ratio] {
        all.map { ratio in
            var ratio = ratio
            ratio.value = zip(rates(ratio.of, rounds), rates(ratio.to, rounds)).map { $0 / $1 }.median
            return ratio
        }
    }

    /// The rates of the named figures together, round by round.
    private static func rates(_ names: [String], _ rounds: [Figure]) -> [Double] {
        let parts = names.map { name in rounds.filter { $0.name == name } }
        return (0..<(parts.map(\.count).min() ?? 0)).map { round in
            let together = parts.map { $0[round] }
            let count = together.reduce(0) { $0 + $1.count }
            let seconds = together.reduce(0.0) { $0 + $1.seconds }
            return Double(count) / seconds
        }
    }
}
