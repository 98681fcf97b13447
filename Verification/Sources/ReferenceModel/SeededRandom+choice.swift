internal import Basics

extension SeededRandom {
    mutating func chance(percent: Int) -> Bool { below(100) < percent }

    /// One of the values, all equally likely.
    mutating func pick<Value>(_ first: Value, _ others: Value...) -> Value {
        let position = below(others.count + 1)
        return position == 0 ? first : others[position - 1]
    }
}
