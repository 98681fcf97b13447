internal import Basics
internal import Rendering
internal import Reports

/// What `landfall post` has posted.
struct PostReport: OperationReport {
    /// The file, or `-` for standard input.
    let source: String
    let server: String
    let counts: PostedCounts
    let asOf: Instant

    /// `{"report":"post",…}`: counts of this run. `items` = `accepted` + `duplicates` + `rejected`; `line` is
    /// the first line with that code.
    var document: JSONValue {
        [
            "report": "post", "source": .string(source), "server": .string(server),
            "as_of": .string(asOf.rfc3339), "lines": .integer(counts.lines), "items": .integer(counts.items),
            "accepted": .integer(counts.accepted), "duplicates": .integer(counts.duplicates),
            "rejected": .integer(counts.rejected),
            "rejections": .array(
                counts.rejections.map { rejection in
                    [
                        "code": .string(rejection.code), "items": .integer(rejection.items),
                        "line": .integer(Int64(rejection.line)), "detail": .string(rejection.detail),
                    ]
                }),
        ]
    }

    var csv: CSVText {
        let verdicts: [(verdict: String, code: String, items: Int64)] =
            [("accepted", "", counts.accepted), ("duplicates", "", counts.duplicates)]
            + counts.rejections.map { ("rejected", $0.code, $0.items) }
        return Listing<(verdict: String, code: String, items: Int64)>(
            .text("verdict") { $0.verdict }, .text("code") { $0.code }, .count("items") { $0.items },
            .constant("source", source), .constant("as_of", asOf.rfc3339)
        ).csv(verdicts)
    }

    let title = "Posted"

    var facts: [(String, String)] {
        [("from", printable(source == "-" ? "standard input" : source)), ("to", printable(server))]
    }

    func figures(_ style: OutputStyle) -> [String] {
        let remarks = [
            Remark("lines", counts.lines, "read"),
            Remark("items", counts.items, "events in them = accepted + duplicates + rejected"),
            Remark("accepted", counts.accepted, "changed something"),
            Remark("duplicates", counts.duplicates, "changed nothing: posted before"),
            Remark("rejected", counts.rejected, "in quarantine"),
        ]
        let causes = counts.rejections.flatMap { rejection -> [String] in
            let count = "\(grouped(rejection.items)) \(printable(rejection.code))"
            return ["  \(count), the first in line \(rejection.line)"]
                + folded(printable(rejection.detail), indentation: 4, style)
        }
        return Remark.lines(remarks, style, nameWidth: 10) + (causes.isEmpty ? [] : [""] + causes)
    }

    var verdict: String {
        if counts.isInvalid { return "Nothing was recorded: check --from. The items are in quarantine." }
        return counts.rejected > 0 ? "Done. landfall quarantine list has the rejected items." : "Done."
    }
}
