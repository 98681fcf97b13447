internal import HTTPTypes
internal import PostgresClient
internal import Reports

/// The question of a report, parsed and ready to run.
struct ReportQuestion: Sendable {
    /// The window of the report, and that of its comparison.
    let windows: [Range<Instant>]
    /// Queries the database for at most this many rows; runs on a thread that may block.
    let response: @Sendable (PostgresConnection, _ mostRows: Int) throws -> RequestedReport
}

extension ServerConfiguration.ReportLimits {
    /// - Throws: 400 for a window that is too long.
    func check(_ question: ReportQuestion) throws(Problem) { try check(question.windows) }

    func check(_ windows: [Range<Instant>]) throws(Problem) {
        // This many local days can be some hours longer if clocks are set back among them.
        let longest = window + .hours(2)
        for window in windows where window.upperBound - window.lowerBound > longest {
            throw Problem(
                .badRequest, "window_too_long",
                "the window is longer than the \(self.window.days) days that one report may cover: request a shorter window"
            )
        }
    }

    /// - Throws: 400 for a document with too many rows.
    func check(_ document: JSONValue) throws(Problem) {
        guard document.rowCount > rows else { return }
        throw .tooManyRows(rows)
    }
}

extension JSONValue {
    /// The number of rows in a report's document, including those of its comparison.
    fileprivate var rowCount: Int {
        guard case .object(let members) = self else { return 0 }
        return members.reduce(0) { count, member in
            switch (member.key, member.value) {
            case ("rows", .array(let rows)): count + rows.count
            case ("comparison", let comparison): count + comparison.rowCount
            default: count
            }
        }
    }
}

extension Span {
    fileprivate static func + (left: Span, right: Span) -> Span {
        Span(milliseconds: left.milliseconds + right.milliseconds)
    }

    fileprivate var days: Int64 { milliseconds / Span.days(1).milliseconds }
}
