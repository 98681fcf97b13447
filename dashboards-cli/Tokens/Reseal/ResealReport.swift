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

    init(plan: [String: SealedRowCounts], stage: Reseal.Stage, asOf: Instant) {
        self.plan = plan
        self.stage = stage
        self.asOf = asOf
    }

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
        var text = CSVText(header: ["step", "kind", "rows", "tombstones", "unreadable", "as_of"])
        for (step, counts) in [("plan", plan), ("applied", result?.moved ?? [:])] {
            for kind in Self.kinds {
                guard let counts = counts[kind] else { continue }
                text.append([
                    .text(step), .text(kind), .integer(counts.rows), .integer(counts.tombstones),
                    .integer(counts.unreadable), .text(asOf.rfc3339),
                ])
            }
        }
        return text
    }

    func lines(_ style: OutputStyle) -> [String] {
        let shown = result?.moved ?? plan
        let tokens = shown["tokens"] ?? SealedRowCounts()
        let items = shown["quarantine"] ?? SealedRowCounts()
        let keys = shown["signing_keys"] ?? SealedRowCounts()
        var remarks = [
            Remark(
                name: "tokens", value: grouped(tokens.rows),
                meaning: "of all apps, found by a new fingerprint"),
            Remark(
                name: "tombstones", value: grouped(tokens.tombstones),
                meaning: "of these, swept or erased: their values will not be recognized later"),
            Remark(name: "quarantine", value: grouped(items.rows), meaning: "items of all apps"),
            Remark(name: "signing keys", value: grouped(keys.rows), meaning: "of all apps"),
        ]
        let unreadable = tokens.unreadable + items.unreadable + keys.unreadable
        if unreadable > 0 {
            remarks.append(
                Remark(
                    name: "unreadable", value: grouped(unreadable),
                    meaning: "under either key: damaged, and skipped"))
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
