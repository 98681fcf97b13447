internal import Access
package import DeliveryModel
internal import Foundation
package import PostgresClient

/// Moves the rows of an app to another cell: most notifications while it is written, the rest while not.
///
/// 1. The source is recounted, and notes `serving`. The target notes `copying`, so nothing else writes there.
/// 2. Quiet days are copied, each from one snapshot of the source in one transaction of the target, which
///    compares it and records it. What changes from then on, triggers of the source note.
/// 3. The source notes `leaving`. From then on, writers are refused (``PostgresConnection/fence(_:)``).
/// 4. One transaction of the target copies the rest and what was noted from one snapshot of the source,
///    compares that, and notes `arriving`.
/// 5. Both cells are recounted, besides the days in which nothing was noted.
/// 6. The source notes `left` and redirects the app's keys. This one commit moves the app.
/// 7. The target forgets `arriving`, so writers are accepted there, and cell 0 notes where the app is.
///
/// Each step is one transaction of one cell. If a call was killed, the next one reads the notes and goes on.
///
/// After step 4, both cells have the same rows. A row of a day of step 2 is as in the snapshot of its copy,
/// or the transaction that changed it has noted it (``copyAhead(_:_:progress:)``), and step 4 sees all
/// notes, because all writers have ended. A call that has lost its locks commits nothing in the target once
/// `copying` has ended, because that is what it changes last. If the source is restored, or a standby takes
/// over, a move that is `serving` begins again (`find_move`), and one that is `leaving` never serves again.
package struct AppMove {
    package struct Cell {
        let number: CellNumber
        package let connection: PostgresConnection

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

    /// The number of attempts to wait for the source's writers, 200 ms each.
    private static let attempts = 60

    /// - Parameter front: a connection to cell 0, which may be one of the two.
    package init(_ app: App, from source: Cell, to target: Cell, front: PostgresConnection) {
        (self.app, self.source, self.target, self.front) = (app, source, target, front)
    }

    /// The move that brought the app to the target, found by asking all cells, or a new one from its cell.
    ///
    /// - Throws: ``AppMoveError/isThere``, `PostgresError`, and what `connect` throws, unless another cell
    ///   has the move.
    package static func find(
        _ app: App, among cells: [CellNumber], to target: Cell, front: PostgresConnection,
        connect: (CellNumber) throws -> Cell
    ) throws -> AppMove {
        let isThere = app.cell == target.number
        var trouble: (any Error)?
        for cell in cells where isThere ? cell != target.number : cell == app.cell {
            do {
                let move = AppMove(app, from: try connect(cell), to: target, front: front)
                guard isThere else { return move }
                let note = try move.note(in: move.source)
                if note?.cell == target.id, note?.state == .left { return move }
            } catch { trouble = trouble ?? error }
        }
        throw trouble ?? AppMoveError.isThere
    }

    /// Begins the move, or resumes it. If it is refused, the source accepts writers again; after an error of
    /// a database, they have to wait until it is repeated or aborted.
    ///
    /// - Parameter progress: receives each step that was done.
    /// - Throws: ``AppMoveError``, `AccessError`, `LockTaken`, `PostgresError`.
    package func apply(progress: (String) -> Void = { _ in }) throws {
        try underLocks([source, target], [.move]) { check in
            if let known = try note(in: source), known.isStale { _ = try end(known, in: source) }
            if try note(in: source) == nil {
                try checkFacts(mayWrite: true)
                try recount(source, progress)
                try source.connection.query(
                    .Moving.beginServing, [.value(app.appID), .value(target.id), .value(UUID())])
            }
            if let known = try note(in: source), known.state == .serving, known.cell == target.id {
                try copyAhead(known, check, progress: progress)
                try checkFacts(mayWrite: true)
            }
        }
        try underLocks([]) { check in
            guard var known = try note(in: source) else { throw AppMoveError.aborted }
            guard known.cell == target.id else { throw AppMoveError.inProgress(cell: known.cell) }
            if known.state == .serving { try freeze(&known) }
            switch known.state {
            case .leaving:
                do {
                    try copyOnce(known, check, progress: progress)
                    try IDRange.raise(
                        target.number, above: .current(on: source.connection),
                        on: target.connection.coordinating(), from: front.coordinating())
                    let settled = try copiedDays(of: known)
                    for cell in [source, target] { try recount(cell, besides: settled, progress) }
                } catch  where !(error is PostgresError) {
                    _ = try end(known, in: source)
                    throw error
                }
                try check()
                try leave(known)
            case .left: break
            default: throw AppMoveError.inProgress(cell: known.cell)
            }
            try open(known)
            try recordCell()
        }
    }

    /// Lets the source's writers continue, and removes the target's copy. Possible until the app has left.
    ///
    /// - Parameter connect: connects to the target.
    /// - Returns: why the copy remains, if it does. A later move there removes it, as does a repeated call.
    /// - Throws: ``AppMoveError``, `LockTaken`, `PostgresError`; what `connect` throws if no move was ended.
    package static func abort(
        _ app: App, in source: Cell, to target: CellNumber, connect: () throws -> Cell
    ) throws -> (any Error)? {
        let alone = AppMove(app, from: source, to: source, front: source.connection)
        return try alone.underLocks([source]) { check in
            let known = try alone.note(in: source)
            if let known {
                guard known.cell == target.number else { throw AppMoveError.inProgress(cell: known.cell) }
                guard [.serving, .leaving].contains(known.state), try alone.end(known, in: source) else {
                    throw AppMoveError.nothingToAbort
                }
            }
            do {
                try alone.endNoting()
                let move = AppMove(app, from: source, to: try connect(), front: source.connection)
                try move.prepare(move.target)
                guard try known != nil || move.note(in: move.target)?.cell == source.id,
                    try move.removeCopy(check) || known != nil
                else { throw AppMoveError.nothingToAbort }
                return nil
            } catch  where known != nil {
                return error
            }
        }
    }

    /// Removes the source's rows of an app that has left.
    package func confirm() throws {
        try underLocks([source, target]) { check in
            guard let known = try note(in: source), [.left, .removed].contains(known.state),
                known.cell == target.id
            else { throw AppMoveError.notMoved }
            guard known.state == .left else { return }
            let (copy, here, there) = (try note(in: target), try facts(of: source), try facts(of: target))
            let isThere = there.appID == app.appID && there.generation ?? 0 > here.generation ?? -1
            guard isThere || copy?.state == .removed, copy?.moveID != known.moveID else {
                throw AppMoveError.notMoved
            }
            // The move may have been killed before cell 0 knew where the app is.
            try recordCell()
            try endNoting()
            try remove(known, from: source, check)
            _ = try change(known, to: .removed, in: source)
        }
    }

    /// Runs the body while no other program moves the app, sweeps its tokens, imports or replays, or moves to
    /// another token key.
    ///
    /// - Parameter body: receives a function that throws if a lock was lost.
    private func underLocks<Value>(
        _ cells: [Cell], _ locks: [AdvisoryLock] = [.move, .tokenRun, .replay, .tokenImport],
        _ body: (_ check: () throws -> Void) throws -> Value
    ) throws -> Value {
        for cell in cells { try prepare(cell) }
        let held = try locks.map { lock in
            guard let held = try source.connection.hold(lock, of: app.appID) else { throw LockTaken(lock) }
            return held
        }
        defer { for lock in held { lock.release() } }
        return try body { for lock in held { try lock.check() } }
    }

    private func prepare(_ cell: Cell) throws {
        _ = try facts(of: cell)
        try cell.number.check(cell.connection)
        guard try cell.connection.keep(.tokenKey) else { throw LockTaken(.tokenKey) }
    }

    // MARK: - Steps

    private func freeze(_ move: inout Note) throws {
        try patiently(in: source) {
            try source.connection.execute(script: .Moving.lockMoves)
            guard try change(move, to: .leaving, in: source) else { throw AppMoveError.aborted }
        }
        move.state = .leaving
    }

    /// Runs a transaction that locks what others use, until it gets its locks within 200 ms.
    func patiently(in cell: Cell, _ body: () throws -> Void) throws {
        for attempt in 1...Self.attempts {
            do {
                return try cell.connection.transaction {
                    try cell.connection.execute(script: .Moving.waitBriefly)
                    try body()
                }
            } catch let error as PostgresError where error.sqlState == .lockNotAvailable {
                guard attempt < Self.attempts else { throw AppMoveError.busy }
                Thread.sleep(forTimeInterval: 0.8)
            }
        }
    }

    private func copyOnce(_ move: Note, _ check: () throws -> Void, progress: (String) -> Void) throws {
        try beginCopying(move, check)
        if try note(in: target)?.state != .arriving { try copy(move, progress: progress) }
    }

    /// Removes a copy of which the source has no note any more. Writers stay refused: servers may still take
    /// this cell for the app's, where it was before.
    ///
    /// - Returns: whether there was one.
    func removeCopy(_ check: () throws -> Void) throws -> Bool {
        guard var copy = try note(in: target), [.copying, .arriving].contains(copy.state)
        else { return false }
        // A program that is still copying can add nothing from here on.
        if copy.state == .copying {
            guard try change(copy, to: .arriving, in: target) else { throw AppMoveError.aborted }
            copy.state = .arriving
        }
        try remove(copy, from: target, check)
        return try change(copy, to: .removed, in: target)
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
            var copy = move
            copy.state = .arriving
            if try end(copy, in: target) {
                try target.connection.query(.Moving.forgetRedirects, [.value(app.appID)])
            }
        }
    }

    /// Records it in cell 0, unless the app has moved on: then its generation there is higher.
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
            case serving, leaving, left, removed, copying, arriving
        }

        var state: State
        let cell: Int32
        let moveID: UUID
        let isStale: Bool
    }

    func note(in cell: Cell) throws(PostgresError) -> Note? {
        try cell.connection.query(.Moving.findMove, [.value(app.appID)]).first?.decode(Note.self)
    }

    func change(_ note: Note, to state: Note.State, in cell: Cell) throws(PostgresError) -> Bool {
        let to = PostgresParameter.value(state.rawValue)
        return try cell.connection.query(.Moving.changeMove, parameters(note) + [to]).first != nil
    }

    /// Allows the writing of the app's rows, unless the note has changed.
    private func end(_ note: Note, in cell: Cell) throws(PostgresError) -> Bool {
        try cell.connection.query(.Moving.endMove, parameters(note)).first != nil
    }

    func parameters(_ note: Note) -> [PostgresParameter] {
        [.value(app.appID), .value(note.moveID), .value(note.state.rawValue)]
    }
}
