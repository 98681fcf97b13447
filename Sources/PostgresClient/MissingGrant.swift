/// The statement that would grant the privilege that a role lacks (SQLSTATE 42501).
///
/// PostgreSQL names the object only in its message, in the language of `lc_messages`. For messages that
/// cannot be parsed, the advice names only the role and the place in the documentation.
struct MissingGrant {
    let message: String
    /// The role of the connection.
    let role: String
    let database: String
    let schema: SchemaName

    private static let documentation = "docs/operations.md, Privileges"

    /// The remedy, in a sentence that follows the message.
    var advice: String {
        if let object = message.firstMatch(of: /^permission denied for ([a-z ]+) (\S+)$/) {
            return advice(kind: String(object.1), name: String(object.2))
        }
        if message.hasPrefix("must be owner of") {
            return
                "Connect as the owner of the schema \(schema), or as a member of that role: GRANT the owner TO "
                + "\(quoted(role))"
        }
        if message.hasPrefix("permission denied to create role") {
            return "ALTER ROLE \(quoted(role)) CREATEROLE allows it"
        }
        return "The role \(quoted(role)) lacks a privilege (\(Self.documentation))"
    }

    private func advice(kind: String, name: String) -> String {
        let role = quoted(role)
        return switch kind {
        case "table":
            "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(schema) TO \(role) allows it; SELECT is enough "
                + "for reports (\(Self.documentation))"
        case "view": "GRANT SELECT ON ALL TABLES IN SCHEMA \(schema.reports) TO \(role) allows it"
        case "sequence": "GRANT USAGE ON ALL SEQUENCES IN SCHEMA \(schema) TO \(role) allows it"
        case "schema" where name == schema.text || name == schema.reports:
            "GRANT USAGE ON SCHEMA \(name) TO \(role) allows reading and writing; only the owner may create tables in it "
                + "(\(Self.documentation))"
        case "schema": "GRANT USAGE ON SCHEMA \(quoted(name)) TO \(role) allows it"
        case "database": "GRANT CREATE ON DATABASE \(quoted(database)) TO \(role) allows it"
        case "function", "procedure": "GRANT EXECUTE ON FUNCTION \(name) TO \(role) allows it"
        default: "The role \(role) lacks a privilege (\(Self.documentation))"
        }
    }

    /// The name as an SQL identifier.
    private func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }
}
