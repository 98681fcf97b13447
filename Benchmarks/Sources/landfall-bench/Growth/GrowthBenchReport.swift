/// The cost of an item by the size of its request, the rate of first contact, and the registrations of a
/// release day.
struct GrowthBenchReport: PrintedReport, Sendable {
    struct Row: Sendable, Encodable {
        let what: String
        /// Per item, in the order of ``GrowthBenchSettings/sizes``.
        let microseconds: [Double]

        /// The cost at the largest size divided by the cost at the one before.
        var growth: Double {
            guard let last = microseconds.last, let before = microseconds.dropLast().last, before > 0 else {
                return 0
            }
            return last / before
        }
    }

    /// Responses per second.
    struct FirstContact: Sendable, Encodable {
        let unknown: Double
        let registered: Double

        var ratio: Double { registered > 0 ? unknown / registered : 0 }
    }

    /// A tenth of the registrations; latencies in milliseconds.
    struct Tenth: Sendable, Encodable {
        let perSecond: Double
        let p50: Double
        let p99: Double
    }

    let machine: Machine
    let settings: GrowthBenchSettings
    let rows: [Row]
    let firstContact: FirstContact
    let release: [Tenth]

    static let mostGrowth = 1.5
    static let leastFirstContact = 0.6

    var lines: [String] {
        ["\(machine.text); new databases without statistics", ""]
            + TextTable(
                ["µs per item"] + settings.sizes.map { "\(grouped($0)) items" } + ["growth", "must"],
                rows.map { row in
                    [row.what] + row.microseconds.map { decimal($0, 0) }
                        + [decimal(row.growth, 2), Self.judged(row.growth, atMost: Self.mostGrowth)]
                }
            ).lines + [""]
            + TextTable(
                ["\(grouped(settings.firstContact)) responses", "per second", "ratio", "must"],
                [
                    ["about registered tokens", grouped(Int(firstContact.registered)), "", ""],
                    [
                        "about unknown tokens", grouped(Int(firstContact.unknown)),
                        decimal(firstContact.ratio, 2),
                        "\(decimal(Self.leastFirstContact, 1)) "
                            + (firstContact.ratio >= Self.leastFirstContact ? "met" : "missed"),
                    ],
                ]
            ).lines + [""]
            + TextTable(
                [
                    "\(grouped(settings.registrations)) first registrations, \(settings.registrationConnections) connections",
                    "per second", "p50 ms", "p99 ms", "growth", "must",
                ],
                release.enumerated().filter { $0.offset == 0 || $0.offset == release.count - 1 }.map {
                    offset, tenth in
                    let growth = offset == 0 ? nil : release.first.map { $0.perSecond / tenth.perSecond }
                    return [
                        offset == 0 ? "the first tenth" : "the last tenth", grouped(Int(tenth.perSecond)),
                        decimal(tenth.p50, 1), decimal(tenth.p99, 1), growth.map { decimal($0, 2) } ?? "",
                        growth.map { Self.judged($0, atMost: Self.mostGrowth) } ?? "",
                    ]
                }
            ).lines
    }

    private static func judged(_ growth: Double, atMost limit: Double) -> String {
        "\(decimal(limit, 1)) \(growth <= limit ? "met" : "missed")"
    }
}
