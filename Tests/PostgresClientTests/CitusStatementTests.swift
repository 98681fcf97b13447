import PostgresClient
import SQLFiles
import TestDatabase
import Testing

/// No statement is one that Citus refuses although PostgreSQL accepts it.
///
/// The rules are those of its planner for tables with one shard, as every table of a distributed schema is,
/// in version 13.2: `TargetlistAndFunctionsSupported`, `ErrorIfOnConflictNotSupported` and
/// `ModifyPartialQuerySupported` (multi_router_planner.c), `RouterModifyTaskForShardInterval`
/// (insert_select_planner.c), and `distributed_planner`. They are checked on the trees into which PostgreSQL
/// parses the statements, with the volatility that its catalog states.
@Suite(.database) struct CitusStatementTests {
    @Test("every statement is one that Citus accepts")
    func statements() async throws {
        // The extension hll is not in every database; its three statements use nothing else that is special.
        // Those of mirrors are about a sender's tables.
        let files = SQLFile.all.filter {
            $0.text.contains(/^\/\* .* \*\/\s+\(?(?:WITH|SELECT|INSERT|UPDATE|DELETE)\b/)
                && !$0.text.contains("hll_") && !$0.name.hasPrefix("administration/citus/")
                && !$0.name.hasPrefix("mirror/")
        }
        #expect(files.count > 290)
        let types = Self.types
        let refused = try await TestDatabase.current.pool.withConnection { connection in
            let planner = try CitusPlanner(connection)
            return files.flatMap { file -> [String] in
                do {
                    return try planner.refusals(of: file.text, types: types[file.name, default: []])
                        .map { "\(file.name): \($0.rawValue)" }
                } catch {
                    planner.forget()
                    return ["\(file.name): \(error)"]
                }
            }
        }
        #expect(refused == [])
    }

    @Test("what Citus refuses is found", arguments: refused)
    fileprivate func examples(_ refusal: CitusRefusal, _ text: String) async throws {
        try await TestDatabase.current.execute(
            """
            CREATE FUNCTION public.campaigns(bigint) RETURNS SETOF bigint LANGUAGE sql STABLE AS
            $$ SELECT campaign_id FROM landfall.campaign WHERE app_id = $1 $$
            """)
        let refusals = try await TestDatabase.current.pool.withConnection {
            try CitusPlanner($0).refusals(of: text, types: [])
        }
        #expect(refusals == [refusal])
    }

    private static let refused: [(CitusRefusal, String)] = [
        (.rowOfTable, "SELECT to_jsonb(segment) FROM landfall.segment;"),
        (.readingFunction, "SELECT count(*) FROM public.campaigns($1);"),
        (
            .stableOfColumn,
            "UPDATE landfall.token SET cause = NULL WHERE date_trunc('milliseconds', died_at) = $1;"
        ),
        (
            .stableOfColumn,
            """
            WITH touched AS (
                UPDATE landfall.token SET last_sign_of_life_at = sign.at
                FROM unnest($1::bigint[], $2::timestamptz[]) AS sign (token_id, at)
                WHERE token.token_id = sign.token_id
                  AND token.last_sign_of_life_at <= sign.at - interval '1 day'
                RETURNING 1
            )
            SELECT count(*) FROM touched;
            """
        ),
        (
            .volatile,
            "DELETE FROM landfall.database_condition WHERE noted_at < clock_timestamp() - interval '2 days';"
        ),
        (.mutableCase, "UPDATE landfall.token SET died_at = coalesce(died_at, now());"),
        (
            .mutableReturning,
            "INSERT INTO landfall.setting (name, value) VALUES ('a', $1) RETURNING convert_from(value, 'UTF8');"
        ),
        (
            .mutableInDoUpdate,
            """
            INSERT INTO landfall.setting AS known (name, value) VALUES ('a', $1)
            ON CONFLICT (name) DO UPDATE SET value = convert_to(convert_from(known.value, 'UTF8'), 'UTF8');
            """
        ),
        (
            .subqueryInInsert,
            """
            INSERT INTO landfall.installation AS known (app_id, device_id, first_registered_at, last_registered_at,
                                                        last_sign_of_life_at)
            VALUES ($1, $2, $3, $3, $3)
            ON CONFLICT (app_id, device_id) DO UPDATE SET tags = ARRAY(SELECT tag FROM unnest(known.tags) AS tag);
            """
        ),
        (
            .tableInSelectAndWith,
            """
            WITH verified AS (
                UPDATE landfall.account_binding SET is_verified = true WHERE installation_id = $2 AND account = $3
            )
            INSERT INTO landfall.account_binding (app_id, installation_id, account, is_verified, bound_at)
            SELECT $1, $2, $3, true, $4
            WHERE NOT EXISTS (SELECT 1 FROM landfall.account_binding WHERE installation_id = $2 AND account = $3);
            """
        ),
    ]

    /// The types of parameters that PostgreSQL infers as others, or cannot infer. The programs pass them.
    private static let types = [
        SQLFile.Tokens.decideHeld.name: [
            "bigint", "text", "text", "text", "text", "timestamptz", "bigint", "bigint", "bigint",
        ],
        SQLFile.Tokens.upsertInstallation.name: [
            "bigint", "uuid", "text", "text", "text", "text", "text", "text", "text", "text[]", "timestamptz",
            "boolean", "bytea", "bigint", "text", "text[]", "text", "text[]", "boolean",
        ],
    ]
}

/// Why Citus refuses a statement.
private enum CitusRefusal: String {
    case rowOfTable = "a value is a row of a table, whose type is not that of a shard's rows"
    case readingFunction = "a function of SQL reads a table"
    case stableOfColumn = "a STABLE function of a column in UPDATE or DELETE"
    case volatile = "a VOLATILE function in UPDATE or DELETE"
    case mutableCase = "a function in CASE or COALESCE of UPDATE or DELETE is not IMMUTABLE"
    case mutableReturning = "a function in RETURNING is not IMMUTABLE"
    case mutableInDoUpdate = "a function in ON CONFLICT is not IMMUTABLE"
    case subqueryInInsert = "a subquery in VALUES, DO UPDATE or RETURNING of INSERT"
    case tableInSelectAndWith = "the SELECT of an INSERT reads a table, and so does its WITH clause"
}

/// The checks of Citus, for the functions and types of one database.
private struct CitusPlanner {
    private let connection: PostgresConnection
    /// By the function's object id: `i`, `s` or `v`.
    private let volatility: [Int64: String]
    private let functionOfOperator: [Int64: Int64]
    private let inputFunction: [Int64: Int64]
    private let outputFunction: [Int64: Int64]
    private let rowTypes: Set<Int64>
    private let readingFunctions: Set<Int64>

    init(_ connection: PostgresConnection) throws {
        func pairs(_ text: String) throws -> [Int64: Int64] {
            let rows = try connection.query(SQLFile(name: "test/\(text.hashValue)", text: text)).map {
                (try $0.get(0, as: Int64.self), try $0.get(1, as: Int64.self))
            }
            return Dictionary(rows) { first, _ in first }
        }
        self.connection = connection
        let functions = "SELECT oid::bigint, provolatile::text FROM pg_proc"
        let volatilities = try connection.query(SQLFile(name: "test/volatility", text: functions)).map {
            (try $0.get(0, as: Int64.self), try $0.get(1, as: String.self))
        }
        volatility = Dictionary(volatilities) { first, _ in first }
        functionOfOperator = try pairs("SELECT oid::bigint, oprcode::oid::bigint FROM pg_operator")
        inputFunction = try pairs("SELECT oid::bigint, typinput::oid::bigint FROM pg_type")
        outputFunction = try pairs("SELECT oid::bigint, typoutput::oid::bigint FROM pg_type")
        rowTypes = Set(
            try pairs(
                """
                SELECT reltype::bigint, 0::bigint FROM pg_class
                 WHERE relkind IN ('r', 'p') AND relnamespace <> 'pg_catalog'::regnamespace
                """
            ).keys)
        // A body that reads a table names it with its schema, and no parenthesis follows.
        readingFunctions = Set(
            try pairs(
                """
                SELECT pg_proc.oid::bigint, 0::bigint FROM pg_proc JOIN pg_language ON pg_language.oid = prolang
                 WHERE lanname = 'sql' AND pronamespace <> 'pg_catalog'::regnamespace
                   AND coalesce(pg_get_function_sqlbody(pg_proc.oid), prosrc) ~ '(?<!DISTINCT )(FROM|JOIN) [a-z0-9_]+\\.\\w+(?![\\w(])'
                """
            ).keys)
    }

    func refusals(of text: String, types: [String]) throws -> Set<CitusRefusal> {
        var refusals: Set<CitusRefusal> = []
        // What ON CONFLICT may refer to is listed, whether it does or not.
        try tree(of: text, types: types).without("exclRelTlist").visit { node in
            if node.name == "FUNCEXPR", readingFunctions.contains(node.number("funcid")) {
                refusals.insert(.readingFunction)
            }
            if node.name == "VAR", node.number("varattno") == 0, rowTypes.contains(node.number("vartype")) {
                refusals.insert(.rowOfTable)
            }
            guard node.name == "QUERY" else { return }
            switch node.number("commandType") {
            case 2, 4: refusals.formUnion(refusalsOfChange(node))
            case 3: refusals.formUnion(refusalsOfInsertion(node))
            default: break
            }
        }
        return refusals
    }

    /// The tree of a statement: the body of a function that PostgreSQL keeps parsed.
    private func tree(of text: String, types: [String]) throws -> ParsedNode {
        let count = text.matches(of: /\$(\d+)/).compactMap { Int($0.1) }.max() ?? 0
        try prepare(text, types.isEmpty ? Array(repeating: "unknown", count: count) : types)
        let parameters = try connection.query(
            SQLFile(
                name: "test/parameters",
                text: """
                    SELECT coalesce(string_agg(format_type(type, NULL), ', ' ORDER BY position), '')
                      FROM pg_prepared_statements
                     CROSS JOIN unnest(parameter_types) WITH ORDINALITY AS parameter (type, position)
                     WHERE name = 'asked'
                    """)
        ).single().get(0, as: String.self)
        try run("CREATE FUNCTION public.asked(\(parameters)) RETURNS void BEGIN ATOMIC \(text) END")
        let tree = try connection.query(
            SQLFile(name: "test/tree", text: "SELECT prosqlbody::text FROM pg_proc WHERE proname = 'asked'")
        ).single().get(0, as: String.self)
        try run("DROP FUNCTION public.asked; DEALLOCATE asked")
        var reader = TreeReader(tree)
        let node = reader.node()
        return try #require(node)
    }

    /// Prepares a statement, so that PostgreSQL infers the types of its parameters. It infers none from IS
    /// NULL, so types are tried until one fits.
    private func prepare(_ text: String, _ types: [String]) throws {
        var types = types
        while let position = try ambiguousParameter(of: text, types) {
            let candidates = [
                "text", "text[]", "bigint", "timestamptz", "boolean", "uuid", "bytea", "bigint[]",
            ]
            let fitting = candidates.first { candidate in
                var tried = types
                tried[position] = candidate
                do { return try ambiguousParameter(of: text, tried) != position } catch { return false }
            }
            types[position] = try #require(fitting, "parameter \(position + 1) of \(text)")
        }
        try run("PREPARE asked\(Self.list(types)) AS \(text)")
    }

    /// The position of a parameter whose type PostgreSQL cannot infer; `nil` if there is none.
    private func ambiguousParameter(of text: String, _ types: [String]) throws -> Int? {
        do {
            try run("PREPARE asked\(Self.list(types)) AS \(text)")
            try run("DEALLOCATE asked")
            return nil
        } catch let error as PostgresError {
            guard case .server(_, let message, _) = error,
                let number = message.firstMatch(of: /data type of parameter \$(\d+)/).flatMap({ Int($0.1) }),
                types.indices.contains(number - 1), types[number - 1] == "unknown"
            else { throw error }
            return number - 1
        }
    }

    private static func list(_ types: [String]) -> String {
        types.isEmpty ? "" : "(\(types.joined(separator: ", ")))"
    }

    /// Removes what an error has left.
    func forget() {
        try? run("DEALLOCATE asked")
        try? run("DROP FUNCTION IF EXISTS public.asked")
    }

    private func run(_ text: String) throws {
        try connection.execute(script: SQLFile(name: "test/script", text: text))
    }

    // MARK: - The rules

    /// `TargetlistAndFunctionsSupported`, for UPDATE and DELETE.
    private func refusalsOfChange(_ query: ParsedNode) -> Set<CitusRefusal> {
        var refusals: Set<CitusRefusal> = []
        let isUpdate = query.number("commandType") == 2
        let assignments = isUpdate ? query.list("targetList").filter { !$0.isTrue("resjunk") } : []
        for part in assignments + query.nodes("jointree") {
            if volatilities(in: part).contains("v") { refusals.insert(.volatile) }
            var hasColumn = false
            refusals.formUnion(irreducible(part, &hasColumn))
        }
        if isMutable(query.list("returningList")) { refusals.insert(.mutableReturning) }
        return refusals
    }

    /// `ErrorIfOnConflictNotSupported`, `ModifyPartialQuerySupported`, and what follows from
    /// `RouterModifyTaskForShardInterval`: it renames the tables of the SELECT alone to shards.
    private func refusalsOfInsertion(_ query: ParsedNode) -> Set<CitusRefusal> {
        var refusals: Set<CitusRefusal> = []
        if query.isTrue("hasSubLinks") { refusals.insert(.subqueryInInsert) }
        for conflict in query.nodes("onConflict") {
            let values = conflict.list("onConflictSet").flatMap { $0.nodes("expr") }
                .filter { $0.name != "VAR" }
            if isMutable(values + conflict.nodes("arbiterWhere") + conflict.nodes("onConflictWhere")) {
                refusals.insert(.mutableInDoUpdate)
            }
        }
        if let source = query.sourceOfInsertion {
            if source.readsTable, query.list("cteList").contains(where: \.readsTable) {
                refusals.insert(.tableInSelectAndWith)
            }
        } else if isMutable(query.list("returningList")) {
            refusals.insert(.mutableReturning)
        }
        return refusals
    }

    /// `MasterIrreducibleExpressionWalker`, which does not look into subqueries.
    private func irreducible(_ node: ParsedNode, _ hasColumn: inout Bool) -> Set<CitusRefusal> {
        if node.name.hasPrefix("COALESCE") || node.name == "CASE" || node.name == "CASEEXPR" {
            return isMutable([node]) ? [.mutableCase] : []
        }
        if node.name == "VAR" { hasColumn = true }
        var refusals: Set<CitusRefusal> = []
        var hasColumnBelow = false
        for child in node.children where child.name != "QUERY" {
            refusals.formUnion(irreducible(child, &hasColumnBelow))
        }
        if hasColumnBelow, volatilities(of: node).contains("s") { refusals.insert(.stableOfColumn) }
        hasColumn = hasColumn || hasColumnBelow
        return refusals
    }

    private func isMutable(_ nodes: [ParsedNode]) -> Bool {
        nodes.contains { !volatilities(in: $0).subtracting(["i"]).isEmpty }
    }

    private func volatilities(in node: ParsedNode) -> Set<String> {
        var found: Set<String> = []
        node.visit { found.formUnion(volatilities(of: $0)) }
        return found
    }

    /// The volatility of the functions that this node calls itself.
    private func volatilities(of node: ParsedNode) -> Set<String> {
        let functions: [Int64?]
        switch node.name {
        case "FUNCEXPR": functions = [node.number("funcid")]
        case "AGGREF": functions = [node.number("aggfnoid")]
        case "WINDOWFUNC": functions = [node.number("winfnoid")]
        case "OPEXPR", "DISTINCTEXPR", "NULLIFEXPR", "SCALARARRAYOPEXPR":
            functions = [functionOfOperator[node.number("opno")]]
        case "ROWCOMPARE", "ROWCOMPAREEXPR":
            functions = node.list("opnos").compactMap { Int64($0.word) }.map { functionOfOperator[$0] }
        case "COERCEVIAIO":
            let types = ["vartype", "consttype", "paramtype", "funcresulttype", "opresulttype", "resulttype"]
            let argument = node.nodes("arg").flatMap { argument in types.map { argument.number($0) } }
            functions = [inputFunction[node.number("resulttype")]] + argument.map { outputFunction[$0] }
        case "NEXTVALUEEXPR": return ["v"]
        case "SQLVALUEFUNCTION": return ["s"]
        default: return []
        }
        return Set(functions.compactMap { $0.flatMap { volatility[$0] } })
    }
}

/// A node of a tree as PostgreSQL prints it: a node with fields, a list, or a word.
private struct ParsedNode {
    var name = ""
    var word = ""
    var fields: [String: [ParsedNode]] = [:]
    var elements: [ParsedNode] = []

    var children: [ParsedNode] { elements + fields.values.joined() }

    /// The tree without a field of its nodes.
    func without(_ field: String) -> ParsedNode {
        var node = self
        node.elements = elements.map { $0.without(field) }
        node.fields[field] = nil
        node.fields = node.fields.mapValues { $0.map { $0.without(field) } }
        return node
    }

    /// Calls the closure with this node and with all below it.
    func visit(_ body: (ParsedNode) -> Void) {
        body(self)
        for element in elements { element.visit(body) }
        for nodes in fields.values { for node in nodes { node.visit(body) } }
    }

    func nodes(_ field: String) -> [ParsedNode] { fields[field, default: []].filter { !$0.name.isEmpty } }

    func list(_ field: String) -> [ParsedNode] { fields[field, default: []].flatMap(\.elements) }

    /// -1 if there is no such field.
    func number(_ field: String) -> Int64 { fields[field]?.first.flatMap { Int64($0.word) } ?? -1 }

    func isTrue(_ field: String) -> Bool { fields[field]?.first?.word == "true" }

    /// Whether this is a table, or a query or a node of one that reads or writes a table.
    var readsTable: Bool {
        var reads = false
        visit { node in
            if ["RTE", "RANGETBLENTRY"].contains(node.name), node.number("rtekind") == 0 { reads = true }
        }
        return reads
    }

    /// The SELECT of an INSERT; `nil` if it has VALUES.
    var sourceOfInsertion: ParsedNode? {
        let sources = nodes("jointree").flatMap { $0.list("fromlist") }.map { $0.number("rtindex") }
        let tables = list("rtable")
        guard sources.count == 1, let index = sources.first, tables.indices.contains(Int(index) - 1) else {
            return nil
        }
        return tables[Int(index) - 1].nodes("subquery").first
    }
}

/// Reads what `nodeToString` of PostgreSQL writes.
private struct TreeReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func node() -> ParsedNode? {
        guard let token = self.token() else { return nil }
        return node(from: token)
    }

    private mutating func node(from token: String) -> ParsedNode {
        var node = ParsedNode()
        switch token {
        case "(":
            while let next = self.token(), next != ")" { node.elements.append(self.node(from: next)) }
        case "{":
            node.name = self.token() ?? ""
            var field = ""
            while let next = self.token(), next != "}" {
                if next.hasPrefix(":") {
                    field = String(next.dropFirst())
                } else {
                    node.fields[field, default: []].append(self.node(from: next))
                }
            }
        default:
            node.word = token
        }
        return node
    }

    /// Spaces and brackets end a token, unless a backslash is before them.
    private mutating func token() -> String? {
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
        guard position < bytes.count else { return nil }
        let start = position
        repeat {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        } while position < bytes.count && !Self.isBracket(bytes[start]) && !Self.isBracket(bytes[position])
            && !Self.isSpace(bytes[position])
        return String(decoding: bytes[start..<min(position, bytes.count)], as: UTF8.self)
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n")
    }

    private static func isBracket(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "{"), UInt8(ascii: "}"): true
        default: false
        }
    }
}
