/// Everything that is wrong with the settings, at once.
public struct SettingsError: Error, Equatable, Sendable, CustomStringConvertible {
    /// One sentence each: where it came from, what is wrong and what would be right.
    public let problems: [String]

    public init(problems: [String]) {
        self.problems = problems
    }

    public var description: String { problems.joined(separator: "\n") }
}
