internal import Access
internal import ArgumentParser
internal import DeliveryModel
internal import PostgresClient
internal import Reports

struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Recount the rows, and compare with the counters.",
        discussion: """
            At every moment, every counter must equal what its notifications say, and every received item \
            must have been accepted, a duplicate or rejected: there must never be a difference. The command \
            covers all days that have not been dropped, reads one snapshot, and blocks no readers or \
            writers. It exits with 1 if anything differs.

              landfall verify || echo 'counters differ from notifications'
              landfall verify --app shop
            """)

    @OptionGroup(title: "Database") var database: DatabaseOptions
    @Option(help: .value("Only this app. Default: all apps.", "slug")) var app: String?
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
        try database.withEachCell(of: app, output) { chosen, results in
            let connection = try chosen.connect()
            let appID = try appID(on: connection)
            let verification = try WaitingLine.whileWaiting("recounting the notifications") {
                try Verification.run(appID: appID, on: connection)
            }
            let names = try verification.names(on: connection)
            try results.write(
                json: verification.document(names: names),
                csv: Listing<Verification.Difference>.differences(names).csv(verification.differences),
                table: { VerificationTable(verification, names, $0).lines })
            if verification.notifications == 0 { try database.noteNothing("There are no notifications") }
            guard verification.differenceCount == 0 else { throw ExitCode.failure }
        }
    }

    private func appID(on connection: PostgresConnection) throws -> Int64? {
        guard let app else { return nil }
        return try asUsage { try App.named(app, among: AppDirectory(connection).apps()).appID }
    }
}
