internal import SQLFiles

enum Step {
    case begin
    case commit
    case statement(PostgresStatement)

    var isCommand: Bool {
        if case .statement = self { false } else { true }
    }

    var text: String {
        switch self {
        case .begin: "BEGIN"
        case .commit: "COMMIT"
        case .statement(let statement): statement.file.text
        }
    }

    var name: String {
        if case .statement(let statement) = self { statement.file.name } else { text }
    }

    var parameters: [PostgresParameter] {
        if case .statement(let statement) = self { statement.parameters } else { [] }
    }
}
