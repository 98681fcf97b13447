internal import HTTPTypes
internal import Reports

extension Problem {
    static func tooManyRows(_ most: Int) -> Problem {
        Problem(
            .badRequest, "too_many_rows",
            "the report has more than the \(most) rows that one response may have: narrow the window, "
                + "filter, or use fewer or coarser dimensions")
    }

    /// The problem of a report: a mistake in the question, or counters that contradict each other.
    init(_ error: ReportError) {
        self =
            switch error {
            case .tooManyKeys: Problem(.badRequest, "too_many_rows", error.description)
            case _ where error.isMistakeInQuestion: .invalidParameter(error.description)
            default: Problem(.internalServerError, "does_not_add_up", error.description)
            }
    }
}
