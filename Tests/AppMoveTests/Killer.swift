import DeliveryModel
import PostgresClient
import Synchronization

/// Ends the sessions of a program before one of its statements, as its death does.
final class Killer: Sendable {
    private struct State {
        var left: Int
        var sessions: [Int64] = []
        var hasStruck = false
    }

    private let state: Mutex<State>
    private let url: String
    private let isMeant: @Sendable (String) -> Bool

    /// - Parameters:
    ///   - place: before the how many-th of these statements.
    ///   - isMeant: which statements count, by their names; commands of transactions have none.
    init(url: String, before place: Int = 1, isMeant: @escaping @Sendable (String) -> Bool = { _ in true }) {
        state = Mutex(State(left: place))
        (self.url, self.isMeant) = (url, isMeant)
    }

    var hasStruck: Bool { state.withLock(\.hasStruck) }

    func aim(at connections: [PostgresConnection]) throws {
        for connection in connections {
            let session: Int64 = try connection.query(
                SQLFile(name: "test/pid", text: "SELECT pg_backend_pid()::bigint")
            ).single().get(0)
            state.withLock { $0.sessions.append(session) }
        }
    }

    func note(_ observed: ObservedStatement) {
        let name = if case .query(let statement) = observed { statement.file.name } else { "" }
        guard isMeant(name) else { return }
        let sessions = state.withLock { state -> [Int64] in
            guard state.sessions.count == 2, !state.hasStruck else { return [] }
            state.left -= 1
            guard state.left == 0 else { return [] }
            state.hasStruck = true
            return state.sessions
        }
        guard !sessions.isEmpty, let killing = try? PostgresConnection(url: url) else { return }
        for session in sessions {
            _ = try? killing.query(
                SQLFile(name: "test/kill", text: "SELECT pg_terminate_backend($1::integer, 5000)"),
                [.value(Int32(session))])
        }
    }
}

extension MoveGround {
    /// Forgets a move, and removes the target's copy.
    func reset() throws {
        let target = try connectToTarget()
        for row in try target.query(.Moving.listRemovals, [.value(app.appID)]) {
            try target.query(SQLFile(name: "test/remove", text: try row.get("removal")))
        }
        for connection in [try connectToSource(), try connectToTarget()] {
            try connection.execute(
                script: SQLFile(
                    name: "test/reset",
                    text: """
                        DELETE FROM landfall.app_move;
                        DELETE FROM landfall.app_move_change;
                        DELETE FROM landfall.key_redirect;
                        DELETE FROM landfall.app_cell;
                        """))
        }
    }
}
