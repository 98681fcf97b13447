internal import DeliveryModel
internal import HTTPTypes
internal import PostgresClient
internal import Reports

/// The question of a report: read, and ready to be asked.
struct ReportQuestion: Sendable {
    /// What it looks at: its window, and the one that this is compared with.
    let windows: [Range<Instant>]
    /// Asks the database; for a thread that may block.
    let answer: @Sendable (PostgresConnection) throws -> JSONValue
}

extension ServerConfiguration.ReportLimits {
    /// - Throws: 400 for a window that is too long.
    func check(_ question: ReportQuestion) throws(Problem) {
        // As many local days are some hours more when clocks are put back among them.
        let longest = window + .hours(2)
        for window in question.windows where window.upperBound - window.lowerBound > longest {
            throw Problem(
                .badRequest, "window_too_long",
                "the window is longer than the \(self.window.days) days that one report may cover: ask for less at once"
            )
        }
    }

    /// - Throws: 400 for a document with too many rows.
    func check(_ document: JSONValue) throws(Problem) {
        guard document.rowCount > rows else { return }
        throw Problem(
            .badRequest, "too_many_rows",
            "the report has \(document.rowCount) rows, more than the \(rows) that one answer may have: "
                + "narrow the window, filter, or break it down by less")
    }
}

extension JSONValue {
    /// How many rows the document of a report has.
    fileprivate var rowCount: Int {
        guard case .object(let members) = self,
            case .array(let rows)? = members.first(where: { $0.key == "rows" })?.value
        else { return 0 }
        return rows.count
    }
}

extension Span {
    fileprivate static func + (left: Span, right: Span) -> Span {
        Span(milliseconds: left.milliseconds + right.milliseconds)
    }

    fileprivate var days: Int64 { milliseconds / Span.days(1).milliseconds }
}
