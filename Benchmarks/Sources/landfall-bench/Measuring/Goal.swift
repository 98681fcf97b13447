/// One figure that the server is to reach.
struct Goal: Sendable {
    enum Unit: String, Sendable, Encodable {
        case ratio
        case perSecond = "per_second"
        case milliseconds
        case bytes
    }

    /// For people.
    let what: String
    let unit: Unit
    let must: Double
    /// A rate or a time as it is, which also stands in the table scaled to the machine that the goal comes from.
    var isOfThisMachine = false
    /// Nil where reaching what must be is all that is wanted.
    let aim: Double?
    /// Latencies and memory are to be at most what is given, everything else at least.
    var isUpperLimit: Bool { unit == .milliseconds || unit == .bytes }
    let measured: @Sendable (StageReport) -> Double?

    enum Mark: String, Sendable, Encodable {
        case missed
        /// Not what must be, on a machine that is slower than the one the goal comes from: the scaled figure has the verdict.
        case slowerMachine = "slower_machine"
        /// What must be, but not what is aimed at.
        case met
        case aim

        /// For people.
        var words: String { self == .slowerMachine ? "slower machine" : rawValue }
    }

    func mark(_ value: Double, onSlowerMachine isSlower: Bool = false) -> Mark {
        func reaches(_ limit: Double) -> Bool { isUpperLimit ? value <= limit : value >= limit }
        guard reaches(must) else { return isOfThisMachine && isSlower ? .slowerMachine : .missed }
        guard let aim else { return .met }
        return reaches(aim) ? .aim : .met
    }
}
