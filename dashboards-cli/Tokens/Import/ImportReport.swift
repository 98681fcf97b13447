internal import DeliveryModel
internal import Rendering
internal import Reports
internal import TokenLifecycle

struct ImportReport: OperationReport {
    let app: String
    let counts: ImportCounts
    let isApplied: Bool
    let asOf: Instant

    /// `{"report":"token_import",…}`: counts of lines.
    var document: JSONValue {
        [
            "report": "token_import", "app": .string(app), "as_of": .string(asOf.rfc3339),
            "lines": .integer(counts.lines),
            "verdicts": .object(ImportVerdict.allCases.map { .init($0.rawValue, .integer(counts[$0])) }),
            "invalid": .object(rejections.map { .init($0.code.rawValue, .integer($0.lines)) }),
            "ignored_columns": .array(counts.ignoredColumns.map { .string($0) }),
            "mistakes": .array(counts.mistakes.map(\.document)),
            "is_applied": .bool(isApplied), "was_stopped": .bool(counts.wasStopped),
        ]
    }

    var csv: CSVText {
        typealias Outcome = (verdict: ImportVerdict, code: String, lines: Int64)
        let valid: [Outcome] = ImportVerdict.allCases.filter { $0 != .invalid }
            .map { ($0, "", counts[$0]) }
        let invalid: [Outcome] = rejections.map { (.invalid, $0.code.rawValue, $0.lines) }
        return Listing<Outcome>(
            .text("verdict") { $0.verdict.rawValue }, .text("code") { $0.code }, .count("lines") { $0.lines },
            .constant("app", app), .constant("as_of", asOf.rfc3339)
        ).csv(valid + invalid)
    }

    let title = "Import of tokens"

    var facts: [(String, String)] {
        var facts = [("counted", "lines of the file, as of \(asOf.utcMinuteWithOffset)")]
        if !counts.ignoredColumns.isEmpty {
            let names = counts.ignoredColumns.map(printable).joined(separator: ", ")
            facts.append(("ignored", "columns \(names)"))
        }
        return facts + counts.mistakes.map { ("mistake", $0.text) }
    }

    func figures(_ style: OutputStyle) -> [String] {
        var table = TextTable([
            .init("Outcome", isNumber: false, group: 0), .init(bar: "of largest", group: 1),
            .init("Lines", group: 1), .init("Meaning", isNumber: false, group: 1),
        ])
        let shown = ImportVerdict.allCases.filter { counts[$0] > 0 && $0 != .invalid }
        let largest = (shown.map { counts[$0] } + rejections.map(\.lines)).max() ?? 0
        table.rows = shown.map { verdict in
            [
                .init(verdict.rawValue),
                .bar(counts[verdict], of: largest, verdict.ink, width: 16, style),
                .init(grouped(counts[verdict])), .init(verdict.meaning, .aside),
            ]
        }
        table.rows += rejections.map { code, lines in
            [
                TextTable.Cell("invalid", .trouble), .bar(lines, of: largest, .trouble, width: 16, style),
                .init(grouped(lines)), .init(code.rawValue, .trouble),
            ]
        }
        table.totals = [.init("Total", .title), "", .init(grouped(counts.lines)), ""]
        return table.lines(style)
    }

    /// Invalid lines by code, the most frequent first.
    private var rejections: [(code: ImportRejection.Code, lines: Int64)] {
        counts.rejections.map { (code: $0.key, lines: $0.value) }
            .sorted { ($1.lines, $0.code.rawValue) < ($0.lines, $1.code.rawValue) }
    }

    var verdict: String {
        let stopped =
            counts.wasStopped ? " Stopped between two batches; importing the file again continues." : ""
        if counts.isInvalid {
            return
                "No line of the file can be read, so nothing \(isApplied ? "was" : "would be") imported.\(stopped)"
        }
        if isApplied { return "Done: \(grouped(counts.changes)) lines were written.\(stopped)" }
        if counts.changes == 0 { return "Nothing to do: no line would change anything.\(stopped)" }
        let invalid = counts[.invalid] > 0 ? " Invalid lines are skipped; --verdicts FILE lists them." : ""
        return "This is a plan: nothing was changed. --apply carries it out.\(invalid)\(stopped)"
    }
}

extension ImportVerdict {
    fileprivate var meaning: String {
        switch self {
        case .registered: "new values"
        case .rotated: "take the slot of an older value, which retires"
        case .transferred: "move to another installation"
        case .revived: "were suspect, stale or retired; active again"
        case .refreshed: "known; now with a later registration"
        case .unchanged: "known, with this very registration"
        case .superseded: "a newer value had their slot; recorded as retired"
        case .outdated: "what is known is newer; no change"
        case .erased: "erased on request; no change"
        case .invalid: "cannot be read"
        }
    }

    fileprivate var ink: Ink {
        switch self {
        case .registered, .revived: .confirmed
        case .rotated, .transferred, .refreshed, .superseded: .accepted
        case .unchanged, .outdated, .erased: .aside
        case .invalid: .trouble
        }
    }
}

extension FoundMistake {
    /// `{"mistake":"seconds","lines":12,"first_line":2,"detail":"…"}`.
    fileprivate var document: JSONValue {
        [
            "mistake": .string(mistake.rawValue), "lines": .integer(lines),
            "first_line": firstLine.map { .integer(Int64($0)) } ?? .null, "detail": .string(sentence(at: "")),
        ]
    }

    fileprivate var text: String {
        guard let firstLine else { return printable(sentence(at: "")) }
        let place =
            lines == 1 ? " (line \(firstLine))" : " (\(grouped(lines)) lines, the first is \(firstLine))"
        return printable(sentence(at: place))
    }
}
