/// Stops mass retirement: when provider answers would retire too many tokens of one app, environment and topic within ten
/// minutes, it is more likely that a sender or provider slipped than that so many people left at once.
public struct BreakerRules: Hashable, Sendable {
    /// So many tokens may always retire.
    public var minimum: Int64 = 100
    /// So great a share of the attempted pushes may retire, 0 to 1.
    public var share = 0.2

    /// Whole minutes, the running one included.
    public static let windowMinutes: Int64 = 10

    public init() {}

    /// How many tokens may retire within the window.
    public func limit(attempted: Int64) -> Int64 {
        max(minimum, Int64((share * Double(attempted)).rounded(.down)))
    }

}

/// What a breaker has counted within its window.
public struct BreakerCounts: Hashable, Codable, Sendable {
    /// Answers about tokens of the app, environment and topic.
    public var attempted: Int64
    /// Tokens that were retired because of such answers.
    public var retired: Int64

    public init(attempted: Int64, retired: Int64) {
        self.attempted = attempted
        self.retired = retired
    }
}
