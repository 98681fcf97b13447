/// The reason why `landfall watch` cannot start.
enum WatchProblem: Error, Equatable, CustomStringConvertible {
    case noTerminal

    var description: String {
        switch self {
        case .noTerminal:
            "landfall watch requires a terminal; without one, run landfall, which prints the same once"
        }
    }
}
