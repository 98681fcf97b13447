/// One figure that the server must reach.
struct Goal: Sendable {
    enum Unit: String, Sendable, Encodable {
        case ratio
        case perSecond = "per_second"
        case milliseconds
        case bytes
    }

    let what: String
    let unit: Unit
    let must: Double
    /// A rate or a time as measured. The table also has it scaled to the machine on which the goal was set.
    var isOfThisMachine = false
    /// `nil` if there is nothing to aim for beyond `must`.
    let aim: Double?
    /// Latencies and memory must be at most the goal, everything else at least.
    var isUpperLimit: Bool { unit == .milliseconds || unit == .bytes }
    let measured: @Sendable (StageReport) -> Double?

    enum Mark: String, Sendable, Encodable {
        case missed
        /// Below `must`, on a machine slower than the one on which the goal was set. The scaled figure decides.
        case slowerMachine = "slower_machine"
        /// Reaches `must`, but not `aim`.
        case met
        case aim

        var words: String { self == .slowerMachine ? "slower machine" : rawValue }
    }

    func mark(_ value: Double, onSlowerMachine isSlower: Bool = false) -> Mark {
        func reaches(_ limit: Double) -> Bool { isUpperLimit ? value <= limit : value >= limit }
        guard reaches(must) else { return isOfThisMachine && isSlower ? .slowerMachine : .missed }
        guard let aim else { return .met }
        return reaches(aim) ? .aim : .met
    }
}
