/// The traffic of one app's servers, or of its devices. Flows share the queue, batches and memory fairly.
public struct Flow: Hashable, Decodable, Sendable {
    public let appID: Int64
    public let poster: EventValidator.Poster

    public init(appID: Int64, poster: EventValidator.Poster) {
        (self.appID, self.poster) = (appID, poster)
    }

    /// Whether a flow has its share of something that all use: at most twice what is left for the others.
    ///
    /// One flow alone thus gets two thirds, two get two fifths each, and a flow that has nothing always finds
    /// room, except for what a last request may take too much.
    public static func hasItsShare(_ held: Int, ofAll total: Int, limit: Int) -> Bool {
        held >= 2 * (limit - total)
    }

    /// The limit for all flows of one cell, if those of other cells hold `others` of what all use: a cell has
    /// its share by the same rule.
    public static func limit(inCell limit: Int, besides others: Int) -> Int {
        max(0, 2 * (limit - others) / 3)
    }

    /// False if no flow can have its share, however much each of them holds.
    public static func mayHaveItsShare(ofAll total: Int, limit: Int) -> Bool {
        hasItsShare(total, ofAll: total, limit: limit)
    }
}
