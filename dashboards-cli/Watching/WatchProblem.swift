/// Why `landfall watch` does not begin.
enum WatchProblem: Error, Equatable, CustomStringConvertible {
    case noTerminal

    var description: String {
        switch self {
        case .noTerminal:
            "landfall watch draws on a terminal, and this is none: landfall prints the same once"
        }
    }
}
