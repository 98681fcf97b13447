internal import Access
package import DeliveryModel
internal import Foundation
package import PostgresClient

/// Moves the rows of an app to another cell, while nothing writes them.
///
/// 1. The source notes `leaving`. From then on, writers are refused (``PostgresConnection/fence(_:)``).
/// 2. One transaction of the target copies the rows from one snapshot of the source, compares them, and notes
///    `arriving`.
/// 3. Both cells are recounted.
/// 4. The source notes `left` and redirects the app's keys. This one commit moves the app.
/// 5. The target forgets `arriving`, so writers are accepted there, and cell 0 notes where the app is.
///
/// Each step is one transaction of one cell. If a call was killed, the next one reads the notes and goes on.
package struct AppMove {
    package struct Cell {
        let number: CellNumber
        let connection: PostgresConnection

        /// - Parameter connection: one without prepared statements, because most statements are sent once.
        package init(_ number: CellNumber, _ connection: PostgresConnection) {
            (self.number, self.connection) = (number, connection)
        }

        var id: Int32 { Int32(number.number) }
    }

    let app: App
    let source: Cell
    let target: Cell
    private let front: PostgresConnection

    /// How often the source's writers are waited for, 200 ms at a time.
    private static let attempts = 60

    /// - Parameter front: a connection to cell 0, which may be one of the two.
    package init(_ app: App, from source: Cell, to target: Cell, front: PostgresConnection) {
        (self.app, self.source, self.target, self.front) = (app, source, target, front)
    }

    /// The move that brought the app to the target, or a new one from its cell.
    ///
    /// - Parameter cells: all others.
    /// - Throws: ``AppMoveError/isThere``, `PostgresError`.
    package static func find(
        _ app: App, from cells: [Cell], to target: Cell, front: PostgresConnection
    ) throws -> AppMove {
        let moves = cells.map { AppMove(app, from: $0, to: target, front: front) }
        let found = try moves.first { move in
            guard app.cell == target.number else { return move.source.number == app.cell }
            let note = try move.note(in: move.source)
            return note?.cell == target.id && note?.state == .left
        }
        guard let found else { throw AppMoveError.isThere }
        return found
    }

    /// Begins the move, or goes on with it.
    ///
    /// - Parameter progress: receives what was done.
    /// - Throws: ``AppMoveError``, `AccessError`, `LockTaken`, `PostgresError`.
    package func apply(progress: (String) -> Void = { _ in }) throws {
        try underLocks { check in
            if try note(in: source) == nil {
                try checkFacts(mayWrite: true)
                try freeze()
            }
            guard let known = try note(in: source) else { throw AppMoveError.aborted }
            guard known.cell == target.id else { throw AppMoveError.inProgress(cell: known.cell) }
            switch known.state {
            case .leaving:
                try copyOnce(known, progress: progress)
                try IDRange.raise(
                    target.number, above: .current(on: source.connection), on: target.connection, from: front)
                for cell in [source, target] { try recount(cell, progress) }
                try check()
                try leave(known)
            case .left: break
            default: throw AppMoveError.inProgress(cell: known.cell)
            }
            try open(known)
            try recordCell()
        }
    }

    /// Removes the target's copy, and lets the source's writers go on. Only until the app has left.
    package func abort() throws {
        try underLocks { _ in
            guard let known = try note(in: source), [.leaving, .staying].contains(known.state) else {
                throw AppMoveError.nothingToAbort
            }
            if known.state == .leaving, try !change(known, to: .staying, in: source) {
                throw AppMoveError.nothingToAbort
            }
            try removeCopy()
            try source.connection.query(.Moving.endMove, parameters(known) + [.value("staying")])
        }
    }

    /// Removes the source's rows of an app that has left.
    package func confirm() throws {
        try underLocks { _ in
            guard let known = try note(in: source), [.left, .removed].contains(known.state),
                known.cell == target.id
            else { throw AppMoveError.notMoved }
            guard known.state == .left else { return }
            let copy = try note(in: target)
            let isThere = try facts(of: target).appID == app.appID || copy?.state == .removed
            guard isThere, copy?.moveID != known.moveID else { throw AppMoveError.notMoved }
            try remove(from: source)
            _ = try change(known, to: .removed, in: source)
        }
    }

    /// Runs the body while no other program moves the app, sweeps its tokens, imports or replays, or moves to
    /// another token key.
    ///
    /// - Parameter body: receives a function that throws if a lock was lost.
    private func underLocks(_ body: (_ check: () throws -> Void) throws -> Void) throws {
        for cell in [source, target] {
            _ = try facts(of: cell)
            try cell.number.check(cell.connection)
            guard try cell.connection.keep(.tokenKey) else { throw LockTaken(.tokenKey) }
        }
        let held = try [AdvisoryLock.move, .tokenRun, .replay, .tokenImport].map { lock in
            guard let held = try source.connection.hold(lock, of: app.appID) else { throw LockTaken(lock) }
            return held
        }
        defer { for lock in held { lock.release() } }
        try body { for lock in held { try lock.check() } }
    }

    // MARK: - Steps

    private func freeze() throws {
        for attempt in 1...Self.attempts {
            do {
                return try source.connection.transaction {
                    try source.connection.execute(script: .Moving.lockMoves)
                    try source.connection.query(
                        .Moving.beginLeaving,
                        [.value(app.appID), .value(target.id), .value(UUID())])
                }
            } catch let error as PostgresError where error.sqlState == .lockNotAvailable {
                guard attempt < Self.attempts else { throw AppMoveError.busy }
                Thread.sleep(forTimeInterval: 0.8)
            }
        }
    }

    /// A copy of another move is older than what was written since, so it is removed first.
    private func copyOnce(_ move: Note, progress: (String) -> Void) throws {
        let known = try note(in: target)
        if known?.moveID == move.moveID, known?.state == .arriving { return }
        try removeCopy()
        try copy(move, progress: progress)
    }

    private func removeCopy() throws {
        guard let copy = try note(in: target), [.arriving, .withdrawn].contains(copy.state) else { return }
        if copy.state == .arriving, try !change(copy, to: .withdrawn, in: target) {
            throw AppMoveError.inProgress(cell: copy.cell)
        }
        try remove(from: target)
        try target.connection.query(.Moving.endMove, parameters(copy) + [.value("withdrawn")])
    }

    private func leave(_ move: Note) throws {
        try source.connection.transaction {
            guard try change(move, to: .left, in: source) else { throw AppMoveError.aborted }
            try source.connection.query(.Moving.redirectKeys, [.value(app.appID), .value(target.id)])
        }
    }

    /// Does nothing if the target was open already: the app may have moved on.
    private func open(_ move: Note) throws {
        try target.connection.transaction {
            let ended = try target.connection.query(
                .Moving.endMove, parameters(move) + [.value("arriving")])
            if ended.first != nil {
                try target.connection.query(.Moving.forgetRedirects, [.value(app.appID)])
            }
        }
    }

    /// Tells cell 0, unless the app has moved on: then its generation there is higher.
    private func recordCell() throws {
        let there = try facts(of: target)
        guard there.appID == app.appID, let generation = there.generation else { return }
        if target.number == .front {
            try front.query(.Moving.forgetCell, [.value(app.slug), .value(generation)])
        } else {
            try front.query(
                .Moving.recordCell,
                [.value(app.slug), .value(app.appID), .value(target.id), .value(generation)])
        }
    }

    // MARK: - Notes

    /// A row of `app_move`.
    struct Note: Decodable {
        enum State: String, Decodable {
            case leaving, staying, left, removed, arriving, withdrawn
        }

        let state: State
        let cell: Int32
        let moveID: UUID
    }

    func note(in cell: Cell) throws(PostgresError) -> Note? {
        try cell.connection.query(.Moving.findMove, [.value(app.appID)]).first?.decode(Note.self)
    }

    private func change(_ note: Note, to state: Note.State, in cell: Cell) throws(PostgresError) -> Bool {
        let states = [note.state, state].map { PostgresParameter.value($0.rawValue) }
        return try cell.connection.query(.Moving.changeMove, parameters(note) + states).first != nil
    }

    func parameters(_ note: Note) -> [PostgresParameter] { [.value(app.appID), .value(note.moveID)] }
}
