import Foundation
import PostgresClient
import TestDatabase

/// One node of a plan, as `EXPLAIN (VERBOSE, FORMAT JSON)` prints it.
struct PlanNode: Decodable {
    let type: String
    let relationship: String?
    let subplan: String?
    let strategy: String?
    let relation: String?
    let alias: String?
    let index: String?
    let indexCondition: String?
    let filter: String?
    let call: String?
    private let plans: [PlanNode]?

    private enum CodingKeys: String, CodingKey {
        case type = "Node Type"
        case relationship = "Parent Relationship"
        case subplan = "Subplan Name"
        case strategy = "Strategy"
        case relation = "Relation Name"
        case alias = "Alias"
        case index = "Index Name"
        case indexCondition = "Index Cond"
        case filter = "Filter"
        case call = "Function Call"
        case plans = "Plans"
    }

    /// The nodes that this one reads its rows from.
    var inputs: [PlanNode] {
        (plans ?? []).filter { $0.relationship != "InitPlan" && $0.relationship != "SubPlan" }
    }

    /// The statements that are evaluated next to it: once, or for each row.
    var besides: [PlanNode] {
        (plans ?? []).filter { $0.relationship == "InitPlan" || $0.relationship == "SubPlan" }
    }

    var aliases: Set<String> {
        inputs.reduce(Set([alias].compactMap(\.self))) { $0.union($1.aliases) }
    }

    /// The plan of a statement, in a session in which ``prepare(_:)`` was called.
    static func explain(_ statement: String, on connection: PostgresConnection) throws -> PlanNode {
        struct Explained: Decodable {
            let plan: PlanNode
            enum CodingKeys: String, CodingKey { case plan = "Plan" }
        }
        let explain = SQLFile(name: "test/explain", text: "SELECT pg_temp.explained($1)")
        let document: String = try connection.query(explain, [.value(statement)]).single().get(0)
        return try JSONDecoder().decode([Explained].self, from: Data(document.utf8))[0].plan
    }

    /// The client reads no JSON, so a function of the session turns it into text.
    static func prepare(_ connection: PostgresConnection) throws {
        try connection.execute(
            script: SQLFile(
                name: "test/explained",
                text: """
                    CREATE OR REPLACE FUNCTION pg_temp.explained(statement text) RETURNS text LANGUAGE plpgsql AS $$
                    DECLARE
                        plan json;
                    BEGIN
                        EXECUTE 'EXPLAIN (VERBOSE, FORMAT JSON, COSTS OFF) ' || statement INTO plan;
                        RETURN plan::text;
                    END;
                    $$
                    """))
    }
}

// MARK: - Work that grows with the square of a batch

extension PlanNode {
    /// The loops that combine every row of one set with every row of another, in words; empty if every inner
    /// side is a lookup.
    var crossings: [String] {
        var found: [String] = []
        if type == "Nested Loop", inputs.count == 2, inputs[0].hasManyRows, inputs[1].readsMany {
            found.append("\(inputs[0].name) × \(inputs[1].name)")
        }
        for node in besides {
            found += node.crossings
            // Evaluated once: an InitPlan, a subplan whose rows are hashed, and all that belongs to a single
            // row that is written.
            guard type != "ModifyTable" || inputs.contains(where: \.hasManyRows),
                node.relationship == "SubPlan", node.subplan?.hasPrefix("SubPlan") == true, node.readsMany,
                filter?.contains("hashed \(node.subplan ?? "")") != true
            else { continue }
            found.append("each row × \(node.name)")
        }
        return inputs.reduce(found) { $0 + $1.crossings }
    }

    private var name: String {
        [type, alias, index, indexCondition].compactMap(\.self).joined(separator: " ")
            + (inputs.isEmpty ? "" : " (\(inputs.map(\.name).joined(separator: ", ")))")
    }

    /// Whether there can be as many rows as a batch has items, or a table has rows.
    private var hasManyRows: Bool {
        if type == "Aggregate", strategy == "Plain" { return false }
        return inputs.isEmpty ? isSet(outside: aliases) : inputs.contains(where: \.hasManyRows)
    }

    /// Whether reading it once can read as many rows as that.
    private var readsMany: Bool { readsMany(outside: aliases) }

    /// - Parameter own: the relations of the whole side of the join; only others' columns can be looked up.
    private func readsMany(outside own: Set<String>) -> Bool {
        if inputs.isEmpty { return isSet(outside: own) }
        // The inner side of a loop is judged at that loop.
        let read = type == "Nested Loop" ? Array(inputs.prefix(1)) : inputs
        return read.contains { $0.readsMany(outside: own) }
    }

    private func isSet(outside own: Set<String>) -> Bool {
        switch type {
        case "Function Scan": !refersToOthers(call ?? "", than: own) && call?.contains("$") != false
        case "Index Scan", "Index Only Scan": !isLookup(outside: own)
        case "Result", "Values Scan": false
        default: true
        }
    }

    /// Whether the index leads to a few rows: a key is compared with a column of another relation, or with
    /// one parameter. Values that all rows of an app share do not count.
    private func isLookup(outside own: Set<String>) -> Bool {
        if let relation, ["app", "app_sign_of_life"].contains(relation) { return true }
        let common = ["app_id", "state", "grain"]
        return (indexCondition ?? "").matches(of: /\(?[a-z_0-9]+\.([a-z_0-9]+) = (\S+)/).contains { match in
            guard !match.2.hasPrefix("ANY") else { return false }
            let isOfOther = refersToOthers(String(match.2), than: own)
            return !common.contains(String(match.1)) && (isOfOther || match.2.hasPrefix("$"))
        }
    }

    private func refersToOthers(_ text: String, than own: Set<String>) -> Bool {
        text.matches(of: /([a-z_0-9]+)\.[a-z_]/).map { String($0.1) }
            .contains { !own.contains($0) && $0 != TestDatabase.schema.text && $0 != "pg_catalog" }
    }
}
