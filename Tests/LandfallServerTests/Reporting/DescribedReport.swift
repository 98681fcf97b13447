import Basics
import Reports

@testable import LandfallServer

/// A report as `openapi.yaml` describes it: its parameters are those of its route, its properties the columns
/// of its sheet.
struct DescribedReport {
    /// The schemas by hand, for properties of which a column says too little: objects, words from a list,
    /// numbers that may be null. A name has the report and the path in its document, or is a member of every
    /// document.
    static let byHand: [String: String] = [
        "from": "WindowStart", "to": "WindowEnd", "as_of": "ReadingTime", "cut_periods": "CutPeriods",
        "rows_left_out": "RowsLeftOut", "filters": "Filters", "key": "RowKey", "unmatched": "UnmatchedCount",
        "local": "LocalCount", "completeness": "Completeness", "comparisons": "VariantComparisons",
        "comparison": "Comparison",
        "Funnel.rates.arrival_estimated": "EstimatedRate",
        "Reach.exact": "IsExact", "Reach.standard_error": "StandardError",
        "Reach.audience_as_of": "AudienceTime", "Reach.without_target": "WithoutTarget",
        "Reach.counts.audience": "AudienceCount", "Reach.rates.audience_reach": "AudienceReach",
        "Loss.counts.superseded": "SupersededCount", "Loss.superseded_reason": "SupersededReason",
        "Rejections.answer.status": "ProviderStatus", "Rejections.answer.reason": "ProviderReason",
        "Rejections.answer.class": "RejectionClass", "Rejections.advice.retryable": "Retryable",
        "Rejections.advice.token_verdict": "TokenVerdict", "Rejections.advice.text": "AdviceText",
        "Latency.relative_error": "RelativeError",
        "Latency.stages.arrival.by_receipt": "TimedByReceipt",
        "Latency.stages.click.by_receipt": "TimedByReceipt",
        "Latency.stages.arrival.histogram": "LatencyHistogram",
        "Latency.stages.click.histogram": "LatencyHistogram",
        "Extension.health": "ExtensionHealth", "Extension.last_reported_at": "LastReportTime",
        "Extension.kits": "RegisteredKits", "Extension.expired": "ExpiredRuns",
        "Extension.attachment_failed": "FailedAttachments",
        "Permissions.cohort": "PermissionCohort", "Permissions.as_of": "PermissionTime",
        "Permissions.counts.alerts_off": "AlertsOffCount",
        "TokenStatus.as_of": "DecisionTime", "TokenStatus.counts.installations": "KnownInstallations",
        "TokenStatus.counts.installations_by_state": "InstallationsByState",
        "TokenStatus.counts.erased_installations": "PresentCount",
        "TokenStatus.counts.audience": "PresentCount",
        "TokenStatus.counts.with_settings": "InstallationsWithSettings",
        "TokenStatus.counts.turned_off": "TurnedOffCounts",
        "TokenStatus.counts.registration_failed": "FailedRegistrations",
        "TokenWaterfall.unit": "WaterfallUnit", "TokenWaterfall.as_of": "LedgerTime",
        "TokenWaterfall.from": "PeriodStart", "TokenWaterfall.to": "PeriodEnd",
        "TokenWaterfall.key": "TokenPeriodKey", "TokenWaterfall.start": "StateCounts",
        "TokenWaterfall.end": "StateCounts", "TokenWaterfall.active.retired": "RetiredCounts",
        "TokenWaterfall.active.net": "NetChange", "TokenWaterfall.active.migrated": "MigratedNet",
        "TokenWaterfall.registration_failed": "RegistrationsWithoutToken",
        "TokenWaterfall.moves": "TokenMoves",
    ]

    /// Replaces the type of what is in no column and not in ``byHand``.
    static let isMissing = "type: needs a schema by hand"

    /// The names of schemas that are not those of the paths.
    private static let names = ["tokens": "TokenWaterfall", "tokens/status": "TokenStatus"]

    let route: ReportRoute
    /// One for each of ``questions(to:)``; none if it is no report with a sheet, and then it has no schemas.
    let sheets: [Sheet]
    /// The summary of its path without its first word.
    let summary: String

    /// The name of the schema of its document.
    var name: String { Self.names[route.name] ?? Self.pascal(route.name) }

    /// Questions that an app without any events can answer, and after which the document has different
    /// members, see ``rareMembers``.
    static func questions(to route: ReportRoute) -> [String] {
        var questions = [""]
        if route.accepts("campaign") { questions.append("campaign=spring") }
        if route.accepts("as_of") { questions.append("as_of=yesterday") }
        if route.name == "clicks" { questions.append("by=action") }
        return questions
    }

    /// The members that these documents do not have.
    private var rareMembers: [String] {
        var members: [String] = []
        if route.accepts("by") { members.append("cut_periods") }
        if route.accepts("sort") { members.append("rows_left_out") }
        if name == "Reach" { members.append("standard_error") }
        if ["Funnel", "Clicks"].contains(name) { members.append("comparisons") }
        if route.accepts("compare") { members.append("comparison") }
        return members
    }

    // MARK: - Columns

    /// A column in the document, and the positions of the sheets that have it.
    private struct Leaf: Equatable {
        let path: [String]
        let column: SheetColumn
        var sheets: Set<Int>
    }

    private func leaves(in place: SheetColumn.Places) -> [Leaf] {
        var leaves: [Leaf] = []
        for (position, sheet) in sheets.enumerated() {
            for column in sheet.columns where column.places.contains(place) {
                if let known = leaves.firstIndex(where: { $0.path == column.path }) {
                    leaves[known].sheets.insert(position)
                } else {
                    leaves.append(Leaf(path: column.path, column: column, sheets: [position]))
                }
            }
        }
        return leaves
    }

    /// A member of an object.
    private struct Property {
        let name: String
        let isRequired: Bool
        /// Lines of YAML below its name.
        let lines: [String]
        /// The schemas that it refers to and that are not written yet.
        var schemas: [String] = []
    }

    private func property(_ leaf: Leaf) -> Property {
        Property(
            name: leaf.path[leaf.path.endIndex - 1],
            isRequired: leaf.sheets.count == sheets.count && !leaf.column.omitsZero,
            lines: Self.lines(
                schemaByHand(leaf.path).map { ["$ref: \(Self.reference($0))"] } ?? leaf.column.kind.lines,
                Self.description(of: leaf)))
    }

    private static func description(of leaf: Leaf) -> String? {
        guard leaf.column.kind.isNumber,
            let metric = Metric.all.first(where: { $0.id == leaf.column.id })
                ?? Metric.all.first(where: { $0.id == leaf.path.last })
        else { return nil }
        return "`\(metric.formula)`. " + metric.meaning
            + (leaf.column.kind == .milliseconds ? " Null if there are no notifications." : "")
    }

    private func schemaByHand(_ path: [String]) -> String? {
        let known = Self.byHand["\(name).\(path.joined(separator: "."))"]
        return known ?? (path.count == 1 ? Self.byHand[path[0]] : nil)
    }

    /// Columns whose total is missing, which their schemas do not say.
    var columnsWithoutNull: [String] {
        sheets.flatMap { sheet in
            zip(sheet.columns, sheet.totals).filter { column, total in
                total == SheetValue.none && column.places.contains(.totals) && column.kind != .milliseconds
                    && schemaByHand(column.path) == nil
            }.map { column, _ in "\(name): \(column.id)" }
        }
    }

    // MARK: - Schemas

    /// The lines of all schemas of the document, without those by hand.
    var schemas: [String] {
        let (rows, totals) = (leaves(in: .rows), leaves(in: .totals))
        var key: [Property] = []
        if !rows.contains(where: { $0.path[0] == "key" }), let schema = schemaByHand(["key"]) {
            key = [Property(name: "key", isRequired: true, lines: ["$ref: \(Self.reference(schema))"])]
        }
        let row = key + properties(of: rows, in: name, besides: totals, part: "Row")
        let sum = properties(of: totals, in: name, besides: rows, part: "Totals")
        return Self.object(name, description, members) + Self.object("\(name)Row", nil, row)
            + Self.object("\(name)Totals", nil, sum)
    }

    /// The members of an object at a depth of the document.
    ///
    /// - Parameters:
    ///   - others: the columns of the other part of the document. Objects that are the same in both share a
    ///     schema; if they differ, the part is in its name.
    private func properties(
        of leaves: [Leaf], depth: Int = 0, in schema: String, besides others: [Leaf] = [], part: String = ""
    ) -> [Property] {
        var names: [String] = []
        for leaf in leaves where !names.contains(leaf.path[depth]) { names.append(leaf.path[depth]) }
        let first = depth == 0 ? ["key", "counts"].filter(names.contains) : []
        return (first + names.filter { !first.contains($0) }).map { name in
            let own = leaves.filter { $0.path[depth] == name }
            if own.count == 1, own[0].path.count == depth + 1 { return property(own[0]) }
            let theirs = others.filter { $0.path[depth] == name }
            let isShared = own == theirs
            let object = schema + (theirs.isEmpty || isShared ? "" : part) + Self.pascal(name)
            let found = own.reduce(into: Set<Int>()) { $0.formUnion($1.sheets) }
            return Property(
                name: name, isRequired: found.count == sheets.count,
                lines: ["$ref: \(Self.reference(object))"],
                schemas: isShared && part == "Totals"
                    ? []
                    : Self.object(
                        object, Self.description(ofObject: name, own),
                        properties(of: own, depth: depth + 1, in: object)))
        }
    }

    private static func description(ofObject name: String, _ leaves: [Leaf]) -> String? {
        if leaves.allSatisfy(\.column.omitsZero) {
            let meaning = Metric.all.first { $0.id == name }.map { $0.meaning + " " } ?? ""
            return meaning + "A count of 0 is absent."
        }
        let isExplained = leaves.contains { Self.description(of: $0) != nil }
        return name == "counts" && isExplained ? "Explained in docs/metrics.md. Zero is present as 0." : nil
    }

    // MARK: - The document

    private var description: String {
        let hasZone = documents[0].contains { $0.key == "time_zone" }
        let zone = hasZone ? "the time zone of the report" : "UTC"
        let sentence = SheetColumn.capitalized(summary)
        return "\(sentence). Instants are in \(zone). Later versions may add members."
    }

    private var documents: [[JSONValue.Member]] {
        sheets.map { sheet in
            guard case .object(let members) = sheet.document else { return [] }
            return members
        }
    }

    private var members: [Property] {
        let documents = documents
        var names: [String] = []
        for member in documents.flatMap(\.self) where !names.contains(member.key) { names.append(member.key) }
        let present = names.map { name in
            let values = documents.compactMap { $0.first { $0.key == name }?.value }
            return Property(
                name: name, isRequired: values.count == documents.count, lines: lines(name, values))
        }
        return present
            + rareMembers.filter { !names.contains($0) }
            .map { Property(name: $0, isRequired: false, lines: lines($0, [])) }
    }

    private func lines(_ member: String, _ values: [JSONValue]) -> [String] {
        switch member {
        case "rows":
            let isEmptyAlone = route.accepts("by") && !sheets[0].hasOnlyRows
            return Self.lines(
                ["type: array", "items: {$ref: \(Self.reference(name + "Row"))}"],
                isEmptyAlone ? "Empty without `by`." : nil)
        case "totals": return ["$ref: \(Self.reference(name + "Totals"))"]
        default: break
        }
        if let schema = schemaByHand([member]) { return ["$ref: \(Self.reference(schema))"] }
        guard case .string(let word)? = values.first else { return [Self.isMissing] }
        let isConstant = ["report", "cohort", "unit"].contains(member) && Set(values).count == 1
        return ["type: string"] + (isConstant ? ["const: \(word)"] : [])
    }

    // MARK: - The path

    private static let headers = [
        ("ETag", "ETag"), ("Cache-Control", "CacheControl"), ("Vary", "Vary"), ("Landfall-App", "App"),
        ("Landfall-Notes", "Notes"),
    ]
    private static let problems = [
        ("304", "NotModified"), ("400", "InvalidQuestion"), ("401", "Unauthorized"), ("403", "WrongKeyKind"),
        ("429", "RateLimited"), ("431", "HeadersTooLarge"), ("500", "InternalError"), ("503", "Unavailable"),
        ("504", "ReportTimeout"),
    ]

    /// The lines of its path that follow what is written by hand.
    func path(_ document: OpenAPIDocument) -> [String] {
        var lines = ["      parameters:"]
        for parameter in route.parameters + ["If-None-Match"] {
            let component = document.parameter(parameter, of: name)
            lines.append("        - $ref: '#/components/parameters/\(component)'")
        }
        lines += ["      responses:", "        '200':", "          description: The report."]
        lines.append("          headers:")
        for (header, component) in Self.headers {
            lines.append("            \(header): {$ref: '#/components/headers/\(component)'}")
        }
        lines += ["          content:", "            application/json:"]
        lines.append("              schema: {$ref: \(Self.reference(name))}")
        for type in ["application/x-ndjson", "text/csv", "text/html", "text/plain"] {
            lines.append("            \(type): {schema: {type: string}}")
        }
        for (status, component) in Self.problems {
            lines.append("        '\(status)': {$ref: '#/components/responses/\(component)'}")
        }
        return lines
    }

    // MARK: - YAML

    private static func reference(_ schema: String) -> String { "'#/components/schemas/\(schema)'" }

    /// `AudienceReach` for `audience_reach`.
    static func pascal(_ name: String) -> String {
        name.split(separator: "_").map { SheetColumn.capitalized(String($0)) }.joined()
    }

    /// A type with a description, which follows the type and precedes a reference.
    private static func lines(_ type: [String], _ description: String?) -> [String] {
        guard let description else { return type }
        let lines = described(description, indentation: 10)
        if type[0].hasPrefix("$ref") { return lines + type }
        return [type[0]] + lines + type.dropFirst()
    }

    private static func object(
        _ name: String, _ description: String?, _ properties: [Property]
    ) -> [String] {
        let required = properties.filter(\.isRequired).map(\.name)
        var lines = ["    \(name):", "      type: object"]
        if let description {
            lines += described(description, indentation: 6).map { "      \($0)" }
        }
        if !required.isEmpty { lines.append("      required: [\(required.joined(separator: ", "))]") }
        lines.append("      properties:")
        for property in properties {
            if property.lines.count == 1, property.lines[0].hasPrefix("$ref") {
                lines.append("        \(property.name): {\(property.lines[0])}")
            } else {
                lines.append("        \(property.name):")
                lines += property.lines.map { "          \($0)" }
            }
        }
        return lines + properties.flatMap(\.schemas)
    }

    /// One line if there is room for it, otherwise a block, in lines of at most 110 characters.
    private static func described(_ text: String, indentation: Int) -> [String] {
        let line = "description: '\(text.replacing("'", with: "''"))'"
        guard indentation + line.unicodeScalars.count > 110 else { return [line] }
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last,
                indentation + last.unicodeScalars.count + word.unicodeScalars.count < 110
            {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append("  \(word)")
            }
        }
        return ["description: |"] + lines
    }
}

extension ReportRoute {
    fileprivate func accepts(_ parameter: String) -> Bool { parameters.contains(parameter) }
}

extension SheetColumn.Kind {
    /// Its type in YAML.
    fileprivate var lines: [String] {
        switch self {
        case .number: ["type: integer", "minimum: 0"]
        case .milliseconds: ["type: [integer, 'null']"]
        case .rate: ["$ref: '#/components/schemas/Rate'"]
        case .words, .name: ["type: string"]
        case .names: ["type: array", "items: {type: string}"]
        case .instant: ["type: string", "format: date-time"]
        case .document: [DescribedReport.isMissing]
        }
    }
}
