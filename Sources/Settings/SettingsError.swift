/// Every problem with the settings at once.
public struct SettingsError: Error, Equatable, Sendable, CustomStringConvertible {
    /// One sentence each: the source, the problem and the valid values.
    public let problems: [String]

    public var description: String { problems.joined(separator: "\n") }
}
