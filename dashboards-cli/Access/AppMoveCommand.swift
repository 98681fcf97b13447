internal import Access
internal import AppMove
internal import ArgumentParser
internal import DeliveryModel
internal import People
internal import PostgresClient
internal import Rendering
internal import Settings

struct AppMoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: "Move an app to another cell.",
        discussion: """
            Without --apply, the command prints a plan and changes nothing. During the last of its copies, \
            posts and registrations of the app get 503, which senders and devices repeat; reports still work. \
            If it is killed, or a database fails, run it again; --abort needs only the app's cell. The rows in \
            the old cell remain until --confirm removes them. It needs the owner of both schemas.

              landfall app move shop --to 3
              landfall app move shop --to 3 --apply
              landfall app move shop --to 3 --confirm
            """)

    enum Step: EnumerableFlag {
        case apply, abort, confirm

        static func help(for step: Step) -> ArgumentHelp? {
            switch step {
            case .apply: "Move the app, or resume a move that was interrupted."
            case .abort: "End a move that was interrupted: the app stays in its cell."
            case .confirm: "Remove the rows of an app that has moved from its old cell."
            }
        }
    }

    @Argument(help: "The name of the app, such as shop.") var slug: String
    @Option(help: .value("The number of the cell.", "number")) var to: Int
    @Flag var step: Step?
    @OptionGroup(title: "Database") var database: DatabaseOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
        let cells = try database.settings().values.cells.map(\.cell)
        guard let cell = cells.first(where: { $0.number == to }) else {
            let known = cells.map { "\($0)" }.joined(separator: ", ")
            note("Error: There is no cell \(to): use one of \(known) (landfall cell list).")
            throw ExitCode.validationFailure
        }
        try database.withDatabase { front in
            do {
                if step == .abort { return try abort(to: cell, among: cells, front) }
                let directory = try front.connect()
                let app = try App.chosen(slug, on: directory)
                let move = try AppMove.find(
                    app, among: cells, to: connect(to: cell, front), front: directory
                ) { try connect(to: $0, front) }
                try carryOut(move, of: app, to: cell, on: directory)
            } catch let error as AppMoveError {
                note("Error: \(sentence(error.description))")
                throw error == .busy ? ExitCode.someoneElseIsRunning : .refusedForSafety
            }
        }
    }

    /// Asks the other cells for the app, so that it works while cell 0 or the target is away.
    private func abort(to cell: CellNumber, among cells: [CellNumber], _ front: ChosenDatabase) throws {
        for source in cells.lazy.filter({ $0 != cell }).compactMap({ try? connect(to: $0, front) }) {
            guard let app = try AppDirectory(source.connection).apps().first(where: { $0.slug == slug })
            else { continue }
            let trouble = try AppMove.abort(app, in: source, to: cell) { try connect(to: cell, front) }
            try Audit.recordCommand(
                "app_move_aborted", app: app, subject: "cell \(cell)", on: source.connection)
            note("The move was ended: \(app.slug) stays in its cell.")
            if let trouble { note("To remove its copy from cell \(cell), run this again later: \(trouble)") }
            return
        }
        throw AppMoveError.nothingToAbort
    }

    private func carryOut(
        _ move: AppMove, of app: App, to cell: CellNumber, on directory: PostgresConnection
    ) throws {
        switch step {
        case nil:
            let plan = try WaitingLine.whileWaiting("counting rows") { try move.plan() }
            let columns = Listing<AppMovePlan>(
                .constant("app", app.slug), .count("rows", "Rows") { $0.rows },
                .count("bytes", "Bytes") { $0.bytes },
                .count("seconds", "Seconds") { $0.duration.components.seconds + 1 },
                .count("frozen_seconds", "Frozen") { $0.frozen.components.seconds + 1 })
            try output.write(columns, [plan], as: "app_move", of: app)
            note("Nothing was changed. --apply moves the app; for the frozen seconds, its posts get 503.")
        case .apply:
            let line = ProgressLine()
            defer { line.clear() }
            try move.apply { line.show($0) }
            try Audit.recordCommand("app_moved", app: app, subject: "cell \(cell)", on: directory)
            note("\(app.slug) is in cell \(cell). --confirm removes its rows from the old cell.")
        case .abort: break
        case .confirm:
            try move.confirm()
            try Audit.recordCommand("app_move_confirmed", app: app, subject: "cell \(cell)", on: directory)
            note("The rows in the old cell are removed.")
        }
    }

    /// Most statements of a move are sent once, so none is prepared.
    private func connect(to cell: CellNumber, _ front: ChosenDatabase) throws -> AppMove.Cell {
        var home = try database.home(of: cell, front)
        (home.cell, home.preparesStatements) = (cell, false)
        return AppMove.Cell(cell, try home.connect())
    }
}
