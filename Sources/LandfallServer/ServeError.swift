public enum ServeError: Error, Equatable, Sendable, CustomStringConvertible {
    case portInUse(Int)
    case cannotListen(host: String, port: Int)
    /// On a port that a setting such as `admin.port` adds.
    case cannotListenToo(host: String, port: Int, setting: String)
    case databaseStalled
    /// The database cannot be written to, and lacks migrations.
    case notMigrated(_ trouble: String)
    /// `database.cells` gives a cell a schema that is not the cell's.
    case wrongCell(_ trouble: String)

    public var description: String {
        switch self {
        case .portInUse(let port):
            "port \(port) is in use by another program: choose another with --port (make run PORT=…)"
        case .cannotListen(let host, let port):
            "this machine cannot listen on \(host), port \(port): set --host to one of its addresses "
                + "(0.0.0.0 for all), and --port to a port that it may use"
        case .cannotListenToo(let host, let port, let setting):
            "this machine cannot listen on \(host), port \(port): set \(setting).host to one of its "
                + "addresses, and \(setting).port to a port that no other program uses"
        case .notMigrated(let trouble):
            "\(trouble), and it lacks migrations of this version: start a server of this version on the primary first"
        case .wrongCell(let trouble): trouble
        case .databaseStalled:
            "the database did not respond in time: the last requests got 503, and what they posted may or "
                + "may not be recorded. Their senders should repeat them"
        }
    }
}
