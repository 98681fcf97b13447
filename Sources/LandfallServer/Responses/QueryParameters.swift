internal import DeliveryModel
internal import Foundation
internal import HTTPTypes
internal import Reports

/// The parameters of a query, or the fields of a form.
struct QueryParameters: Sendable {
    let pairs: [(name: String, value: String)]

    init(_ pairs: [(name: String, value: String)]) { self.pairs = pairs }

    /// The maximum number of values of one parameter, and of all together: a page repeats them, and a report
    /// compares every row with them.
    private static let mostValues = 20
    private static let mostInAll = 400

    /// The meaning of a plus.
    enum Plus {
        /// Form encoding.
        case isSpace
        /// It may be part of an account's e-mail address.
        case isPlus
    }

    /// - Parameter paths: the names of those that contain a page's path or query, and may be as long as one.
    /// - Throws: 400 if a parameter is not UTF-8, is too long, or contains a NUL, or if there are too many.
    init(query: String?, plus: Plus = .isSpace, paths: Set<String> = []) throws(Problem) {
        var pairs: [(name: String, value: String)] = []
        var counts: [String: Int] = [:]
        for (encodedName, encodedValue) in Self.split(query) {
            guard let name = Self.decoded(encodedName, plus) else {
                throw .unreadableParameter("the name of a parameter", FieldLimits.text)
            }
            counts[name, default: 0] += 1
            guard counts[name, default: 0] <= Self.mostValues else {
                throw .invalidParameter(
                    "'\(name)' is given more than \(Self.mostValues) times: use fewer values")
            }
            guard pairs.count < Self.mostInAll else {
                throw .invalidParameter("there are more than \(Self.mostInAll) parameters: use fewer")
            }
            let most = paths.contains(name) ? FieldLimits.sharedPath : FieldLimits.text
            guard let value = Self.decoded(encodedValue, plus, most: most) else {
                throw .unreadableParameter("'\(name)'", most)
            }
            pairs.append((name, value))
        }
        self.pairs = pairs
    }

    private static func split(_ query: String?) -> [(name: Substring, value: Substring)] {
        (query ?? "").split(separator: "&").map { pair in
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (sides[0], sides.count > 1 ? sides[1] : "")
        }
    }

    /// Returns `nil` if the text is not percent-encoded UTF-8, is too long, or contains a NUL.
    static func decoded(_ encoded: some StringProtocol, _ plus: Plus = .isPlus, most: Int? = nil) -> String? {
        let encoded = String(encoded)
        let spaced = plus == .isSpace ? encoded.replacing("+", with: " ") : encoded
        guard let text = spaced.removingPercentEncoding else { return nil }
        return text.unicodeScalars.count <= most ?? FieldLimits.text && !text.utf8.contains(0) ? text : nil
    }

    // MARK: - Known parameters

    /// - Throws: 400 for a parameter that the report does not accept.
    func check(against known: [String]) throws(Problem) {
        try Self.check(pairs.map(\.name), against: known, of: "report")
    }

    /// Checks only the names of a query: one that is not known is the first mistake, whatever its value.
    ///
    /// - Parameter subject: what accepts the parameters.
    static func check(_ query: String?, against known: [String], of subject: String) throws(Problem) {
        let names = split(query).map { String($0.name).removingPercentEncoding ?? String($0.name) }
        try check(names, against: known, of: subject)
    }

    private static func check(
        _ names: [String], against known: [String], of subject: String
    ) throws(Problem) {
        for name in names where !known.contains(name) {
            if subject == "report", name == "sender" {
                throw Problem(.badRequest, "unknown_parameter", ReportError.senderNotCounted.description)
            }
            // The key of a hook's address, without its parameter's name.
            let name = name.contains("lf_") ? "lf_…" : String(name.prefix(FieldLimits.text))
            let hint = closestName(to: name, among: known).map { " (did you mean '\($0)'?)" } ?? ""
            let list = known.isEmpty ? "no parameters" : known.joined(separator: ", ")
            throw Problem(
                .badRequest, "unknown_parameter",
                "this \(subject) does not accept '\(name)'\(hint). It accepts \(list)")
        }
    }

    // MARK: - Values

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

    /// The value of a parameter that is given at most once; `nil` if it is missing or empty.
    func filled(_ name: String) throws(Problem) -> String? {
        guard let text = try one(name), !text.isEmpty else { return nil }
        return text
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

    /// An instant that is given at most once. The plus of its offset need not be percent-encoded.
    func instant(_ name: String) throws(Problem) -> String? {
        try one(name)?.replacing(#/ (?<offset>\d\d:\d\d)$/#) { "+\($0.offset)" }
    }

    /// The value of a number that is given at most once.
    ///
    /// - Parameter problem: what is thrown if the text is not a number in the range.
    func number(
        _ name: String, in range: ClosedRange<Int64>, or problem: (_ text: String) -> Problem
    ) throws(Problem) -> Int64? {
        guard let text = try one(name) else { return nil }
        guard let number = Int64(text), range.contains(number) else { throw problem(text) }
        return number
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

    // MARK: - Other parameters

    /// - Parameter value: `nil` for the parameters without this one.
    func setting(_ name: String, to value: String?) -> QueryParameters {
        var pairs = pairs.filter { $0.name != name }
        if let value { pairs.append((name, value)) }
        return QueryParameters(pairs)
    }

    var query: String {
        pairs.map { "\($0.name.queryEncoded)=\($0.value.queryEncoded)" }.joined(separator: "&")
    }
}

extension Problem {
    static func invalidParameter(_ detail: String) -> Problem {
        Problem(.badRequest, "invalid_parameter", detail)
    }

    fileprivate static func unreadableParameter(_ subject: String, _ most: Int) -> Problem {
        .invalidParameter(
            "\(subject) is not percent-encoded UTF-8, is longer than \(most) characters, or contains a NUL "
                + "character")
    }
}
