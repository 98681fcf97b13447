internal import DeliveryModel

extension RejectionsReport {
    /// A row of one key and response; `nil` in the totals.
    private typealias Subject = (row: Row?, rejected: Int64, share: Proportion)
    private typealias Field = SheetField<Subject>

    private static func word(
        _ id: String, _ part: String, _ key: String, _ kind: SheetColumn.Kind = .words, ink: Ink? = nil,
        _ value: @escaping (RejectedResponse) -> SheetValue
    ) -> Field {
        Field(SheetColumn(id, kind, at: [part, key], ink: ink, in: [.rows, .csv])) {
            $0.row.map { value($0.response) } ?? .none
        }
    }

    /// Each row contains its response and what to do about it.
    private static var fields: [Field] {
        [
            Field(SheetColumn("attempted", in: .totals)) { .count($0.share.denominator) },
            word("provider", "answer", "provider") { .words($0.provider) },
            word("status", "answer", "status", .number) { .count(Int64($0.status)) },
            word("reason", "answer", "reason") { $0.reason.map { .words($0) } ?? .none },
            word("class", "answer", "class") { .words($0.rejectionClass.rawValue, ink: .aside) },
            Field(SheetColumn("rejected")) { .count($0.rejected) },
            Field(SheetColumn("attempted", in: [.csv, .figure])) { .count($0.share.denominator) },
            Field(SheetColumn("share", .rate, ink: .trouble)) { .rate($0.share) },
            word("retryable", "advice", "retryable") { .words($0.retry.rawValue) },
            word("token_verdict", "advice", "token_verdict") { .words($0.tokenVerdict.rawValue) },
            word("advice", "advice", "text") { .words($0.advice) },
            Field(SheetColumn("response", .name, in: .nowhere)) {
                $0.row.map { .words($0.response.words) } ?? .none
            },
        ]
    }

    public var sheet: Sheet {
        var sheet = Sheet(
            "Rejections", frame, Self.fields, rows: rows.map { ($0.key, ($0, $0.rejected, $0.share)) },
            totals: (nil, rejected, share))
        sheet.isEmpty = isEmpty
        sheet.unmatched = unmatched
        sheet.comparison = comparison
        // It compares keys, and the rows are responses.
        sheet.isComparedInCSV = false
        sheet.hasOnlyRows = true
        sheet.headline = headline
        let everywhere = everywhere
        sheet.table = [
            [.column("response")]
                + frame.query.by.filter { dimension in !everywhere.contains { $0.dimension == dimension } }
                .map { .key($0) },
            [.bar(SheetBar("of largest", "rejected", .trouble)), "rejected", "share", "class"],
        ]
        sheet.hasTableTotals = false
        sheet.pictures = [.stages(.rejections(totals))]
        let keyWords = frame.query.by.map(\.words).joined(separator: ", ")
        sheet.remarks =
            [
                SheetRemark(
                    "attempted", .count(totals[.attempted]), "shares are of those with the same \(keyWords)")
            ] + everywhere.map { SheetRemark($0.dimension.words, .words($0.text), "in all rows") }
            + SheetRemark.unmatched(unmatched)
        sheet.comparedInRows = ["attempted", "rejected"]
        sheet.advice = sentences
        sheet.terms = RejectionClass.allCases.map { "rejected_\($0.rawValue)" } + ["attempted", "unmatched"]
        return sheet
    }

    /// The parts of the key that all rows share. They are a remark instead of a column.
    private var everywhere: [RowKey.Part] {
        guard let first = rows.first, rows.count > 1 else { return [] }
        return first.key.parts.enumerated().filter { position, part in
            rows.allSatisfy { $0.key.parts[position] == part }
        }.map(\.element)
    }

    /// One sentence for all responses with the same remedy, the most frequent first.
    private var sentences: [(names: [String], text: String)] {
        var responses: [String: [String]] = [:]
        var counts: [String: Int64] = [:]
        for row in rows {
            let sentence = row.response.advice
            counts[sentence, default: 0] += row.rejected
            if responses[sentence]?.contains(row.response.words) != true {
                responses[sentence, default: []].append(row.response.words)
            }
        }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { (names: responses[$0.key] ?? [], text: $0.key) }
    }

    private var headline: String {
        guard share.denominator > 0 else { return "Nothing was sent in this window." }
        let sentence =
            "\(Words.number(rejected)) of \(Words.number(share.denominator)) notifications were rejected: "
            + Headline.share(share)
        var counts: [String: Int64] = [:]
        for row in rows { counts[row.response.words, default: 0] += row.rejected }
        guard let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else {
            return sentence + "."
        }
        return "\(sentence). Most often: \(most.key), \(Words.number(most.value))."
    }
}
