internal import DeliveryModel
internal import PostgresClient
internal import Reports

extension AppMove {
    /// How a table or a day of notifications is copied, as `list_copies` says.
    private struct Part: Decodable {
        let name: String
        let day: Instant?
        let columns: String
        let copyOut: String
        let copyIn: String
        let removal: String
        let measure: String
    }

    /// A UTC day of notifications, as `list_days` says.
    private struct Day: Decodable {
        let day: Instant
        let isQuiet: Bool
        let isNoted: Bool
        let hasChanged: Bool
        let beginning: String
        let ending: String
    }

    private struct Measure: Decodable {
        let rowCount: Int64
        /// The sum of the rows' hashes.
        let digest: String
        let bytes: Int64
    }

    /// Copies the quiet days while the source's writers go on. A day that packing has exchanged has no
    /// trigger any more, and is copied again.
    ///
    /// A day gets a trigger only while it counts as not copied, and no copy of it is in progress (`copy`). So
    /// if it counts as copied and has one, it has had it since before the snapshot of its copy. Creating it
    /// waits for the day's writers: that snapshot has what they changed, and all later changes are noted.
    func copyAhead(_ move: Note, _ check: () throws -> Void, progress: (String) -> Void) throws {
        try beginCopying(move, check)
        let days = try days(from: facts(of: target).keptFrom)
        let copied = try copiedDays(of: move)
        for day in days where day.isQuiet && !(day.isNoted && copied.contains(day.day)) {
            try check()
            try target.connection.transaction {
                try target.connection.lockInTransaction(.copy, of: app.appID)
                try record(day.day, of: move, isCopied: false)
            }
            try patiently(in: source) {
                let locked = try source.connection.query(.Moving.lockMove, parameters(move))
                guard locked.first != nil else { throw AppMoveError.aborted }
                try source.connection.query(SQLFile(name: "moving/begin_noting", text: day.beginning))
            }
            try copy(move, ahead: day.day, progress: progress)
        }
    }

    /// Copies rows from one snapshot of the source in one transaction of the target, and compares them.
    ///
    /// - Parameter ahead: copies this day while the source's writers go on; `nil`: copies the rest, while
    ///   nothing writes.
    func copy(_ move: Note, ahead: Instant? = nil, progress: (String) -> Void) throws {
        // checkRetention finds out whether either cell has rows of the others.
        let kept = try facts(of: target).keptFrom
        let owner = try target.connection.coordinating()
        try source.connection.snapshot {
            let (from, into) = (source.connection, target.connection)
            try from.execute(script: .Reports.lockDeliveries)
            try from.query(.Moving.fixFormats)
            let days = try days(from: kept).filter { ahead == nil || $0.day == ahead }
            for day in days { try owner.query(.Ingestion.ensurePartition, [.value(day.day)]) }
            let responses = try responseIDs()
            let copied = try ahead == nil ? copiedDays(of: move) : []
            let noted = days.filter { $0.isNoted && copied.contains($0.day) }
            let settled = Set(noted.filter { !$0.hasChanged }.map(\.day))
            let asked = days.map(\.day).filter { !settled.contains($0) }
            let changed = noted.filter(\.hasChanged).map(\.day)
            let parts = try parts(of: source, asked, changed, responses: responses, isMoving: true)
            try into.transaction {
                try into.execute(script: .Reports.lockDeliveries)
                try into.query(.Moving.fixFormats)
                try into.lockInTransaction(.copy, of: app.appID)
                if ahead == nil { try checkRetention(mayWrite: true) }
                for (part, copy) in zip(parts, try self.parts(of: target, asked, changed))
                where ahead == nil || part.day != nil {
                    guard (part.name, part.columns) == (copy.name, copy.columns) else {
                        throw AppMoveError.notMigrated(target.number)
                    }
                    if copy.day != nil {
                        try into.query(SQLFile(name: "moving/remove", text: copy.removal))
                    }
                    let rows = try into.copyIn(SQLFile(name: "moving/copy_in", text: copy.copyIn)) { send in
                        try from.copyOut(SQLFile(name: "moving/copy_out", text: part.copyOut), to: send)
                    }
                    let (here, there) = (try measure(part, in: source), try measure(copy, in: target))
                    guard (here.rowCount, here.digest) == (there.rowCount, there.digest) else {
                        throw AppMoveError.unequal(part.name)
                    }
                    progress("copied \(Words.number(rows)) rows of \(part.name)")
                }
                // Other moves wait for who has used app_move, so that is the last.
                if let ahead { return try record(ahead, of: move, isCopied: !days.isEmpty) }
                try into.query(.Moving.forgetChanges, [.value(app.appID)])
                for day in copied.subtracting(settled) { try record(day, of: move, isCopied: false) }
                var copy = move
                copy.state = .copying
                guard try change(copy, to: .arriving, in: target) else { throw AppMoveError.aborted }
            }
        }
    }

    /// Lets only a move write rows of the app in the target. Rows of an earlier stay, and a copy of another
    /// move, which is older than what was written since, are removed first.
    func beginCopying(_ move: Note, _ check: () throws -> Void) throws {
        guard try note(in: target)?.moveID != move.moveID else { return }
        _ = try removeCopy(check)
        try target.connection.transaction {
            try target.connection.lockInTransaction(.copy, of: app.appID)
            try removeLeftovers()
            let begun = try target.connection.query(
                .Moving.beginCopying, [.value(app.appID), .value(source.id), .value(move.moveID)])
            guard begun.first != nil else { throw AppMoveError.notConfirmed(target.number) }
        }
    }

    /// Removes what was written of the app after it had left the target. The app itself is never a leftover.
    private func removeLeftovers() throws {
        guard try facts(of: target).appID == nil else {
            throw AppMoveError.slugTaken(app.slug, target.number)
        }
        for row in try target.connection.query(.Moving.listRemovals, [.value(app.appID)])
        where try !row.get("is_day") && row.get("name", as: String.self) != "app" {
            try target.connection.query(SQLFile(name: "moving/remove", text: row.get("removal")))
        }
    }

    /// The rows and bytes that a move copies, and how long it presumably takes, in all and for what is copied
    /// while nothing writes: four times as long as reading them here.
    package func plan() throws -> AppMovePlan {
        guard try note(in: source) == nil else { throw AppMoveError.inProgress(cell: target.id) }
        try checkFacts(mayWrite: false)
        var plan = AppMovePlan()
        try source.connection.snapshot {
            try source.connection.execute(script: .Reports.lockDeliveries)
            let days = try days()
            let quiet = Set(days.filter(\.isQuiet).map(\.day))
            for part in try parts(of: source, days.map(\.day)) {
                let started = ContinuousClock.now
                let measure = try measure(part, in: source)
                plan.rows += measure.rowCount
                plan.bytes += measure.bytes
                let duration = started.duration(to: .now) * 4
                plan.duration += duration
                if part.day.map({ quiet.contains($0) }) != true { plan.frozen += duration }
            }
        }
        return plan
    }

    /// - Parameter days: these days are left out.
    /// - Throws: ``AppMoveError/differs(_:count:)`` if the app's counters do not equal its rows.
    func recount(_ cell: Cell, besides days: Set<Instant> = [], _ progress: (String) -> Void) throws {
        let verification = try Verification.run(appID: app.appID, besides: days, on: cell.connection) {
            progress("recounting cell \(cell.number), \($0.rfc3339.prefix(10))")
        }
        guard verification.differenceCount == 0 else {
            throw AppMoveError.differs(cell.number, count: verification.differenceCount)
        }
    }

    /// Removes all rows of the app, a table or a day of notifications per transaction, as long as the note
    /// exists. Maintenance moves rows between tables, so it must not run.
    func remove(_ note: Note, from cell: Cell, _ check: () throws -> Void) throws {
        func remove(_ row: PostgresRow) throws {
            try check()
            try cell.connection.transaction {
                let locked = try cell.connection.query(.Moving.lockMove, parameters(note))
                guard locked.first != nil else { throw AppMoveError.aborted }
                try cell.connection.query(SQLFile(name: "moving/remove", text: row.get("removal")))
            }
        }
        let removals = Array(try cell.connection.query(.Moving.listRemovals, [.value(app.appID)]))
        for row in removals where try row.get("is_day") { try remove(row) }
        try cell.connection.withLock(.maintenance) { lock in
            for row in removals where try !row.get("is_day") {
                try lock.check()
                try remove(row)
            }
        }
    }

    /// Removes the triggers of the source's days and what they have noted.
    func endNoting() throws {
        for day in try days() where day.isNoted {
            try patiently(in: source) {
                try source.connection.query(SQLFile(name: "moving/end_noting", text: day.ending))
            }
        }
        try source.connection.query(.Moving.forgetChanges, [.value(app.appID)])
    }

    // MARK: - Parts

    /// The days of which the source has notifications, of whatever app, and that end after an instant.
    private func days(from kept: Instant? = nil) throws -> [Day] {
        let days: [Day] = try source.connection.query(.Moving.listDays, [.value(app.appID)]).decode()
        return days.filter { $0.day + .days(1) > kept ?? $0.day }
    }

    /// The days that were copied ahead. Once the copy is complete: those of them in which nothing was noted.
    func copiedDays(of move: Note) throws -> Set<Instant> {
        let parameters: [PostgresParameter] = [.value(app.appID), .value(move.moveID)]
        let rows = try target.connection.query(.Moving.copiedDays, parameters)
        return Set(try rows.column("day", as: Instant.self))
    }

    /// Records in the target whether it has a day, unless the copy is complete or was given up.
    private func record(_ day: Instant, of move: Note, isCopied: Bool) throws {
        let recorded = try target.connection.query(
            .Moving.recordDay,
            [.value(app.appID), .value(move.moveID), .value(day), .array(isCopied ? [day] : [])])
        guard recorded.first != nil else { throw AppMoveError.aborted }
    }

    private func parts(
        of cell: Cell, _ days: [Instant], _ changed: [Instant] = [],
        responses: (here: [Int64], there: [Int64]) = ([], []), isMoving: Bool = false
    ) throws -> [Part] {
        try cell.connection.query(
            .Moving.listCopies,
            [
                .value(app.appID), .array(responses.here), .array(responses.there), .array(days),
                .value(isMoving ? Int64(1) << 48 : 0), .value(Int32(isMoving ? 1 : 0)), .array(changed),
            ]
        ).decode()
    }

    private func measure(_ part: Part, in cell: Cell) throws -> Measure {
        let file = SQLFile(name: "moving/measure \(part.name)", text: part.measure)
        return try cell.connection.query(file).single().decode()
    }

    /// The ids of the source's provider responses in both cells: they are unique by their words in each.
    private func responseIDs() throws -> (here: [Int64], there: [Int64]) {
        let rows = try source.connection.query(.Moving.listResponses)
        let words: [PostgresParameter] = [
            .array(try rows.column("provider", as: String.self)),
            .array(try rows.column("status", as: Int32.self)),
            .array(try rows.column("reason", as: String.self)),
        ]
        let classes = PostgresParameter.array(try rows.column("outcome_class", as: String.self))
        try target.connection.query(.Ingestion.internResponses, words + [classes])
        let known: [Int64] = try rows.column("response_id")
        let found = try target.connection.query(.Ingestion.findResponses, words)
        let positions: [Int64] = try found.column("position")
        return (positions.map { known[Int($0) - 1] }, try found.column("response_id"))
    }
}

package struct AppMovePlan: Sendable {
    package internal(set) var rows: Int64 = 0
    package internal(set) var bytes: Int64 = 0
    package internal(set) var duration = Duration.zero
    package internal(set) var frozen = Duration.zero
}
