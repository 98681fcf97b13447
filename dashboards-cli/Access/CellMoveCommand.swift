internal import ArgumentParser
internal import DeliveryModel
internal import PostgresClient

struct CellMoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: "Move a cell to another node of its Citus cluster.",
        discussion: """
            Servers go on meanwhile. At the end, what they write at that moment is written again, on the \
            new node.

              landfall cell move 0 --to node2.example.com:5432
            """)

    @OptionGroup var database: DatabaseOptions
    @Argument(help: "The number of the cell.") var cell: Int
    @Option(name: .customLong("to"), help: .value("The node, as the coordinator knows it.", "host:port"))
    var target: String

    func run() throws {
        guard let colon = target.lastIndex(of: ":"), let port = Int64(target[colon...].dropFirst()) else {
            throw ValidationError("--to must be a host and a port, such as node2.example.com:5432.")
        }
        guard let number = CellNumber(cell) else {
            throw ValidationError("A cell has a number from 0 to 255.")
        }
        try database.withDatabase { front in
            let home = try database.home(of: number, front)
            guard home.isDistributed else {
                throw CommandProblem(
                    "cell \(cell) is not on Citus: set LANDFALL_DATABASE_DISTRIBUTE=citus if it is")
            }
            let connection = try home.connect()
            try connection.coordinating().query(
                .Administration.moveSchema, [.value(String(target[..<colon])), .value(port)])
            // A connection to the new node prepares it.
            _ = try home.connect()
        }
    }
}
