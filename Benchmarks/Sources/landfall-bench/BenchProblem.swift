/// The reason why there are no figures.
enum BenchProblem: Error, Equatable, CustomStringConvertible {
    case noWrk
    case wrkEnded(output: String)
    /// Requests that the server rejected or that broke.
    case requestsLost(figure: String, rejected: Int, broken: Int)
    /// An event that changes nothing is faster than one that does, and would be counted as one that does.
    case eventsLost(figure: String, expected: Int, accepted: Int, rejected: Int)
    /// `landfall verify` found numbers other than those that were loaded.
    case wrongCounters(differences: Int64, notifications: Int64)
    /// The command-line program exited with a code other than 0.
    case commandFailed(words: [String], output: String)
    /// A page of the console could not be opened.
    case unexpectedPage(address: String, status: Int)

    var description: String {
        switch self {
        case .noWrk:
            "wrk, which generates the load, is not installed: run 'make setup'"
        case .wrkEnded(let output):
            "wrk ended without a result. The end of its output:\n\(output)"
        case .requestsLost(let figure, let rejected, let broken):
            "\(figure): \(rejected) requests were rejected and \(broken) broke; the figure would mean nothing"
        case .eventsLost(let figure, let expected, let accepted, let rejected):
            "\(figure): of \(expected) events \(accepted) were accepted and \(rejected) rejected; the figure would "
                + "mean nothing"
        case .wrongCounters(let differences, let notifications):
            "\(differences) counters differ from the \(notifications) notifications that were loaded; the figures would "
                + "mean nothing"
        case .unexpectedPage(let address, let status):
            "the server responded to \(address) with \(status)"
        case .commandFailed(let words, let output):
            "landfall \(words.joined(separator: " ")) failed. The end of its output:\n\(output)"
        }
    }
}
