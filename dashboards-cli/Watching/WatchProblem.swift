/// Why `landfall watch` does not begin.
enum WatchProblem: Error, Equatable, CustomStringConvertible {
    case noTerminal
    case noDatabase

    var description: String {
        switch self {
        case .noTerminal:
            "landfall watch draws on a terminal, and this is none: landfall prints the same once"
        case .noDatabase:
            "there is no database to watch yet: landfall says what to do first"
        }
    }
}
