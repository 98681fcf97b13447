/// What a person may do in an app. Each role includes those before it.
public enum Role: String, CaseIterable, Comparable, Sendable {
    /// Reads reports.
    case viewer
    /// Decides about breakers and quarantine, and annotates.
    case `operator`
    /// Manages people and keys, and erases.
    case admin

    private var rank: Int {
        switch self {
        case .viewer: 0
        case .operator: 1
        case .admin: 2
        }
    }

    public static func < (left: Role, right: Role) -> Bool { left.rank < right.rank }
}
