public import Instants

/// The span of `sent_at` that a report covers, `from` inclusive, `to` exclusive.
///
/// Counters are kept by quarter hour, so a window consists of whole ones: `from` is moved back and
/// `to` is moved forward to a quarter. A report prints this effective window, never the requested one.
public struct ReportWindow: Hashable, Sendable {
    public let from: Instant
    public let to: Instant
    /// Whether the window is wider than the requested one.
    public let isWidened: Bool

    /// - Throws: ``ReportError/emptyWindow(from:to:)``.
    public init(from: Instant, to: Instant) throws(ReportError) {
        guard from < to else { throw .emptyWindow(from: from.rfc3339, to: to.rfc3339) }
        self.from = from.startOfQuarter
        self.to = (to + .minutes(15) - Span(milliseconds: 1)).startOfQuarter
        self.isWidened = self.from != from || self.to != to
    }

    /// The window of a report that reads no counters.
    init(exactly span: Range<Instant>) {
        (from, to, isWidened) = (span.lowerBound, span.upperBound, false)
    }
}
