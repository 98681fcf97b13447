public enum ServeError: Error, Equatable, Sendable, CustomStringConvertible {
    case portInUse(Int)
    case cannotListen(host: String, port: Int)
    case cannotListenForAdmin(host: String, port: Int)
    case databaseStalled

    public var description: String {
        switch self {
        case .portInUse(let port):
            "port \(port) is in use by another program: choose another with --port (make run PORT=…)"
        case .cannotListen(let host, let port):
            "this machine cannot listen on \(host), port \(port): set --host to one of its addresses "
                + "(0.0.0.0 for all), and --port to a port that it may use"
        case .cannotListenForAdmin(let host, let port):
            "this machine cannot listen on \(host), port \(port), for health checks: set admin.host to one of its "
                + "addresses, and admin.port to a port that no other program uses"
        case .databaseStalled:
            "the database did not respond in time: the last requests got 503, and what they posted may or "
                + "may not be recorded. Their senders should repeat them"
        }
    }
}
