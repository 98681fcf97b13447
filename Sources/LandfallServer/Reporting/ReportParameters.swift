internal import DeliveryModel
internal import Foundation
internal import HTTPTypes
internal import Reports
internal import Wording

/// The query parameters of a report.
struct ReportParameters: Sendable {
    let pairs: [(name: String, value: String)]

    init(_ pairs: [(name: String, value: String)]) { self.pairs = pairs }

    /// The maximum number of values of one parameter, and of all together: a page repeats them, and a report compares every row
    /// with them.
    static let mostValues = 20
    static let mostInAll = 400

    /// Reads form encoding: a plus is a space.
    ///
    /// - Throws: 400 if a parameter is not UTF-8, is too long, or contains a NUL, or if there are too many.
    init(query: String?) throws(Problem) {
        var pairs: [(name: String, value: String)] = []
        var counts: [String: Int] = [:]
        for pair in (query ?? "").split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = try Self.text(sides[0])
            counts[name, default: 0] += 1
            guard counts[name, default: 0] <= Self.mostValues else {
                throw .invalidParameter(
                    "'\(name)' is given more than \(Self.mostValues) times: use fewer values")
            }
            guard pairs.count < Self.mostInAll else {
                throw .invalidParameter("there are more than \(Self.mostInAll) parameters: use fewer")
            }
            pairs.append((name, sides.count > 1 ? try Self.text(sides[1]) : ""))
        }
        self.pairs = pairs
    }

    private static func text(_ encoded: Substring) throws(Problem) -> String {
        let blanks = encoded.replacing("+", with: " ")
        guard let text = String(blanks).removingPercentEncoding, text.isStorable else {
            throw .invalidParameter(
                "a parameter is not percent-encoded UTF-8, is longer than \(FieldLimits.text) "
                    + "characters, or contains a NUL character")
        }
        return text
    }

    /// - Throws: 400 for a parameter that the report does not accept.
    func check(against known: [String]) throws(Problem) {
        try Self.check(pairs.map(\.name), against: known, of: "report")
    }

    /// - Parameter subject: what accepts the parameters.
    static func check(_ names: [String], against known: [String], of subject: String) throws(Problem) {
        for name in names where !known.contains(name) {
            let name = String(name.prefix(FieldLimits.text))
            let hint = closestName(to: name, among: known).map { " (did you mean '\($0)'?)" } ?? ""
            let list = known.isEmpty ? "no parameters" : known.joined(separator: ", ")
            throw Problem(
                .badRequest, "unknown_parameter",
                "this \(subject) does not accept '\(name)'\(hint). It accepts \(list)")
        }
    }

    /// Every value of a parameter that may be repeated.
    func all(_ name: String) -> [String] {
        pairs.filter { $0.name == name }.map(\.value)
    }

    /// The value of a parameter that is given once or not at all.
    func one(_ name: String) throws(Problem) -> String? {
        let values = all(name)
        guard values.count <= 1 else {
            throw .invalidParameter(
                "'\(name)' is given \(values.count) times: specify it only once")
        }
        return values.first
    }

    /// Without the fields that a form sends although nothing was entered. An empty filter stays: it selects what has no name.
    var withoutEmptyFields: ReportParameters {
        let filters = Dimension.filters.map(\.rawValue)
        return ReportParameters(pairs.filter { !$0.value.isEmpty || filters.contains($0.name) })
    }

    func setting(_ name: String, to value: String) -> ReportParameters {
        ReportParameters(removing(name).pairs + [(name, value)])
    }

    func removing(_ name: String) -> ReportParameters {
        ReportParameters(pairs.filter { $0.name != name })
    }

    /// The value of a boolean parameter; false if it is absent.
    func flag(_ name: String) throws(Problem) -> Bool {
        let response: YesOrNo? = try word(name)
        return response == .yes
    }

    private enum YesOrNo: String, CaseIterable {
        case yes = "true"
        case no = "false"
    }

    /// The value of an instant that is given at most once. The plus of its offset need not be percent-encoded.
    func instant(_ name: String) throws(Problem) -> String? {
        try one(name)?.replacing(#/ (?<offset>\d\d:\d\d)$/#) { "+\($0.offset)" }
    }

    /// The value of a parameter that is one of several words, given at most once.
    func word<Word: RawRepresentable<String> & CaseIterable>(_ name: String) throws(Problem) -> Word? {
        guard let text = try one(name) else { return nil }
        guard let word = Word(rawValue: text) else {
            let words = Word.allCases.map(\.rawValue).joined(separator: " or ")
            throw .invalidParameter("'\(text)' is not valid for '\(name)': use \(words)")
        }
        return word
    }
}

extension Problem {
    static func tooManyRows(_ most: Int) -> Problem {
        Problem(
            .badRequest, "too_many_rows",
            "the report has more than the \(most) rows that one response may have: narrow the window, "
                + "filter, or use fewer or coarser dimensions")
    }

    static func invalidParameter(_ detail: String) -> Problem {
        Problem(.badRequest, "invalid_parameter", detail)
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
