internal import CLibPQ

/// Connection strings, and what libpq knows of the server that they name.
extension PostgresConnection {
    /// A second connection to the other one's server, without prepared statements.
    convenience init(like other: PostgresConnection, patience: Patience) throws(PostgresError) {
        var options = other.connectionOptions
        // The chosen one of several hosts.
        if let host = PQhost(other.connection) { options["host"] = String(cString: host) }
        if let port = PQport(other.connection) { options["port"] = String(cString: port) }
        if options["hostaddr"] != nil, let address = PQhostaddr(other.connection) {
            options["hostaddr"] = String(cString: address)
        }
        try self.init(
            url: Self.string(of: options), schema: other.schema, preparesStatements: false,
            patience: patience, statementObserver: nil)
    }

    /// The connection string with these keywords and values.
    static func string(of options: [String: String]) -> String {
        options.map { keyword, value in
            "\(keyword)='\(value.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
        }.joined(separator: " ")
    }

    /// libpq's keywords and values for this connection, including the password and the environment's values.
    public var connectionOptions: [String: String] {
        guard let options = PQconninfo(connection) else { return [:] }
        defer { PQconninfoFree(options) }
        var found: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val, value.pointee != 0 {
                found[String(cString: keyword)] = String(cString: value)
            }
            option += 1
        }
        return found
    }

    /// Whether no server currently accepts connections at this address: it does not respond, or is starting.
    /// A server that rejects the role, the password or the database is not away.
    public static func isAway(_ url: String) -> Bool {
        let options = [("connect_timeout", "3"), ("dbname", url)]
        let state = withCStrings(options.map(\.0)) { keywords in
            withCStrings(options.map(\.1)) { values in PQpingParams(keywords, values, 1) }
        }
        return state == PQPING_NO_RESPONSE || state == PQPING_REJECT
    }

    /// Checks the form first, because libpq's message about a malformed string may quote its password.
    static func checkForm(of url: String) throws(PostgresError) {
        guard let options = PQconninfoParse(url, nil) else {
            throw .unavailable(
                reason:
                    "the connection string cannot be read: use postgres://user@host/database or key=value pairs"
            )
        }
        PQconninfoFree(options)
    }
}
