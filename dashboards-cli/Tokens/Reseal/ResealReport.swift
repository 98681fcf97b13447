internal import Documents
internal import Instants
internal import Rendering
internal import Reports
internal import TokenLifecycle

/// A move to another token key in every output format: its plan, or its result.
struct ResealReport {
    let plan: [String: SealedRowCounts]
    let stage: Reseal.Stage
    let asOf: Instant
    /// `nil` for a plan.
    var result: Reseal.Result?
    /// Whether the key in the data folder is now the new one.
    var hasReplacedFile = false

    var total: Int64 { plan.values.reduce(0) { $0 + $1.rows } }

    private static let kinds = ["tokens", "quarantine", "signing_keys"]

    /// `{"report":"token_reseal",…}`: counts of rows; `applied` is null for a plan.
    var document: JSONValue {
        [
            "report": "token_reseal", "as_of": .string(asOf.rfc3339), "stage": .string(stageName),
            "rows": Self.json(plan), "applied": result.map { Self.json($0.moved) } ?? .null,
            "was_stopped": .bool(result?.wasStopped ?? false), "has_replaced_file": .bool(hasReplacedFile),
        ]
    }

    private static func json(_ counts: [String: SealedRowCounts]) -> JSONValue {
        .object(
            kinds.map { kind in
                let counts = counts[kind] ?? SealedRowCounts()
                return .init(
                    kind,
                    [
                        "rows": .integer(counts.rows), "tombstones": .integer(counts.tombstones),
                        "unreadable": .integer(counts.unreadable),
                    ])
            })
    }

    var csv: CSVText {
        typealias Step = (step: String, kind: String, counts: SealedRowCounts)
        let steps = [("plan", plan), ("applied", result?.moved ?? [:])]
        let rows = steps.flatMap { step, counts -> [Step] in
            Self.kinds.compactMap { kind in counts[kind].map { (step: step, kind: kind, counts: $0) } }
        }
        return Listing<Step>(
            .text("step") { $0.step }, .text("kind") { $0.kind }, .count("rows") { $0.counts.rows },
            .count("tombstones") { $0.counts.tombstones }, .count("unreadable") { $0.counts.unreadable },
            .constant("as_of", asOf.rfc3339)
        ).csv(rows)
    }

    func lines(_ style: OutputStyle) -> [String] {
        let shown = result?.moved ?? plan
        let tokens = shown["tokens"] ?? SealedRowCounts()
        let items = shown["quarantine"] ?? SealedRowCounts()
        let keys = shown["signing_keys"] ?? SealedRowCounts()
        var remarks = [
            Remark("tokens", tokens.rows, "of all apps, found by a new fingerprint"),
            Remark(
                "tombstones", tokens.tombstones,
                "of these, swept or erased: their values will not be recognized later"),
            Remark("quarantine", items.rows, "items of all apps"),
            Remark("signing keys", keys.rows, "of all apps"),
        ]
        let unreadable = tokens.unreadable + items.unreadable + keys.unreadable
        if unreadable > 0 {
            remarks.append(Remark("unreadable", unreadable, "under either key: damaged, and skipped"))
        }
        return [style.paint("Reseal under a new token key", .title), ""]
            + Remark.lines(remarks, style, nameWidth: 12) + [""] + folded(verdict, to: style.width)
    }

    private var stageName: String {
        switch stage {
        case .notBegun: "not_begun"
        case .begun: "begun"
        case .done: "done"
        }
    }

    private var verdict: String {
        guard let result else {
            switch stage {
            case .notBegun:
                return "This is a plan: nothing was changed. Stop every server, then --apply carries it out."
            case .begun:
                return
                    "A move to this key has not been completed; no server starts. --apply completes it."
            case .done: return "Everything is already sealed with this key."
            }
        }
        guard !result.wasStopped else {
            return "Stopped between two batches: no server starts until the same command has completed."
        }
        return hasReplacedFile
            ? "Done. token.key in the data folder is now the new key; the old one is next to it, as token.key.old."
            : "Done. Start every server with the new key in \(TokenKey.environmentVariable)."
    }
}
