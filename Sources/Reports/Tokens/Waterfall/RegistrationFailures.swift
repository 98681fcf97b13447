internal import Access
internal import PostgresClient
internal import SQLFiles

/// How many installations said that the system gave their app no token. One that said so on several days counts once per UTC day,
/// in the period of its first report of that day.
struct RegistrationFailures {
    /// Without a key for periods in which none said so; 0 is the first period.
    let byPeriod: [Int: Int64]
    /// Each installation once.
    let total: Int64
}

extension RegistrationFailures {
    init(_ app: App, _ window: WaterfallWindow, on connection: PostgresConnection) throws(PostgresError) {
        var (byPeriod, total): ([Int: Int64], Int64) = ([:], 0)
        for row in try connection.query(
            .Tokens.registrationFailures, [.value(app.appID), .array(window.bounds), .value(window.asOf)])
        {
            let installations: Int64 = try row.get("installations")
            if let period = try row.getOptional("period", as: Int32.self) {
                byPeriod[Int(period) - 1] = installations
            } else {
                total = installations
            }
        }
        self.init(byPeriod: byPeriod, total: total)
    }
}
