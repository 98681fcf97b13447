/// A goal with the values measured.
struct GoalReport: Sendable, Encodable {
    struct Measured: Sendable, Encodable {
        let stage: String
        /// `nil` if it could not be measured.
        let value: Double?
        let mark: Goal.Mark?
    }

    let what: String
    let unit: Goal.Unit
    let must: Double
    let aim: Double?
    let isUpperLimit: Bool
    let measured: [Measured]

    init(_ goal: Goal, _ stages: [StageReport]) {
        what = goal.what
        unit = goal.unit
        must = goal.must
        aim = goal.aim
        isUpperLimit = goal.isUpperLimit
        measured = stages.map { stage in
            let value = goal.measured(stage)
            let isSlower = stage.machineShare.map { $0 < 1 } ?? false
            return Measured(
                stage: stage.stage.name, value: value,
                mark: value.map { goal.mark($0, onSlowerMachine: isSlower) })
        }
    }

    func isMarked(_ mark: Goal.Mark) -> Bool { measured.contains { $0.mark == mark } }
}
