internal import Access
internal import PostgresClient
internal import Reports

extension SimulateCommand {
    /// The app that received the traffic: the key's, unless one is named.
    func checkedApp(on connection: PostgresConnection) throws -> App {
        guard options.app == nil, let key = posting.chosenKey else {
            return try asUsage { try App.named(options.app, among: AppDirectory(connection).apps()) }
        }
        guard let app = try AppDirectory(connection).app(ofKey: APIKey.digest(of: key)) else {
            throw SimulationProblem.unknownKey
        }
        return app
    }
}
