/// The number of statements that took too long for their request, by name.
public struct SlowStatementCounts: Hashable, Codable, Sendable {
    public private(set) var byStatement: [String: Int] = [:]

    public init() {}

    public var total: Int { byStatement.values.reduce(0, +) }

    public mutating func add(_ statement: String) { byStatement[statement, default: 0] += 1 }

    public static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum.byStatement.merge(right.byStatement, uniquingKeysWith: +)
        return sum
    }
}
