internal import Access
internal import PostgresClient
internal import Reports

extension SimulateCommand {
    /// The app the traffic went to: the key's, unless one is named.
    func checkedApp(on connection: PostgresConnection) throws -> ReportApp {
        guard options.app == nil, let key = posting.chosenKey else {
            return try asUsage { try ReportApp.named(options.app, among: ReportApp.all(on: connection)) }
        }
        guard let credential = try AppDirectory(connection).credential(digest: APIKey.digest(of: key)) else {
            throw SimulationProblem.unknownKey
        }
        return ReportApp(id: credential.app.appID, slug: credential.app.slug)
    }
}
