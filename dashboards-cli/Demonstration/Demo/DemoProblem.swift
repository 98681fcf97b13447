/// The reason why the demo failed.
enum DemoProblem: Error, Equatable, CustomStringConvertible {
    case noServerProgram(path: String)
    /// The server ended, or did not print its address in time.
    case notReady(reason: String, log: String)
    case differs(numbers: Int, counters: Int64)

    var description: String {
        switch self {
        case .noServerProgram(let path):
            "\(path) does not exist: swift build creates it next to landfall"
        case .notReady(let reason, let log):
            "landfall-server \(reason). The end of its output:\n\(log)"
        case .differs(let numbers, let counters):
            "\(numbers) numbers differ from what really happened, and \(counters) counters from the notifications"
        }
    }
}
