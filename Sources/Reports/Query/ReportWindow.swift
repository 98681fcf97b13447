public import Instants

/// The span of `sent_at` a report covers, `from` inclusive, `to` exclusive.
///
/// Counters have the grain of a quarter hour, so a window is made of whole ones: `from` moves back and `to`
/// moves on to the next quarter. What a report prints is this effective window, never the one that was asked
/// for.
public struct ReportWindow: Hashable, Sendable {
    public let from: Instant
    public let to: Instant
    /// True when the window is wider than the one that was asked for.
    public let isWidened: Bool

    /// - Throws: ``ReportError/emptyWindow(from:to:)``.
    public init(from: Instant, to: Instant) throws(ReportError) {
        guard from < to else { throw .emptyWindow(from: from.rfc3339, to: to.rfc3339) }
        self.from = from.startOfQuarter
        self.to = (to + .minutes(15) - Span(milliseconds: 1)).startOfQuarter
        self.isWidened = self.from != from || self.to != to
    }
}
