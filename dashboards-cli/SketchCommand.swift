internal import ArgumentParser
internal import ChildPrograms
internal import DeliveryModel
internal import Maintenance
internal import Reports

/// `landfall sketch`: prints a `MaintenanceReport.Sketched`.
struct SketchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sketch",
        abstract: "Lets reach over long windows be estimated in milliseconds.",
        discussion: """
            Makes PostgreSQL's extension hll in the database unless it is there, and sketches everything recorded that is older \
            than an hour. From then on servers and landfall maintain keep the sketches up, and landfall reach uses them for windows of \
            more than three days: standard error 0.8 %, printed with a ≈; landfall reach --exact still counts. To go back, drop the \
            extension: DROP EXTENSION hll. Exit code 4 when another program maintains this database right now.

              landfall sketch
              landfall sketch --json
            """)

    @OptionGroup(title: "Database")
    var database: DatabaseOptions

    @OptionGroup(title: "Output")
    var output: OutputOptions

    func run() async throws {
        let command = self
        try await StopSignals.cancelling { try command.sketch() }
    }

    private func sketch() throws {
        do {
            let sketched = try database.withConnection { connection in
                try SketchExtension.create(on: connection)
                return try Maintenance().sketch(
                    now: .now, on: connection, isStopped: { Task.isCancelled })
            }
            try output.write(json: sketched.document, csv: sketched.csv, table: { sketched.lines($0) })
        } catch let error as SketchExtensionError {
            note("Error: \(error).")
            throw ExitCode.failure
        } catch MaintenanceError.someoneElseMaintains {
            note(
                "Another program maintains this database right now and builds sketches as well; this one did nothing."
            )
            throw ExitCode.someoneElseIsRunning
        }
    }
}
