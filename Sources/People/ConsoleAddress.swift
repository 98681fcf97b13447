public import PostgresClient

/// The console's address, recorded by the server that was started last. Commands that print links use it.
public enum ConsoleAddress {
    private static let setting = "console_address"

    /// - Parameter host: the address that the server listens on.
    public static func text(host: String, port: Int) -> String {
        let reachable = ["0.0.0.0": "127.0.0.1", "::": "::1"][host] ?? host
        return "http://\(reachable.contains(":") ? "[\(reachable)]" : reachable):\(port)"
    }

    public static func store(_ address: String, on connection: PostgresConnection) throws(PostgresError) {
        try connection.query(.Administration.storeSetting, [.value(setting), .value(Array(address.utf8))])
    }

    /// `nil` if no server with a console has been started.
    public static func read(on connection: PostgresConnection) throws(PostgresError) -> String? {
        guard let row = try connection.query(.Administration.readSetting, [.value(setting)]).first else {
            return nil
        }
        return String(decoding: try row.get("value", as: [UInt8].self), as: UTF8.self)
    }
}
