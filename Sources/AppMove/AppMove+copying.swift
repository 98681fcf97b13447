internal import DeliveryModel
internal import PostgresClient
internal import Reports

extension AppMove {
    /// How a table or a day of notifications is copied, as `list_copies` says.
    private struct Part: Decodable {
        let name: String
        let columns: String
        let copyOut: String
        let copyIn: String
        let measure: String
    }

    private struct Measure: Decodable {
        let rowCount: Int64
        /// The sum of the rows' hashes.
        let digest: String
        let bytes: Int64
    }

    /// Copies the rows from one snapshot of the source in one transaction of the target, and compares them.
    func copy(_ move: Note, progress: (String) -> Void) throws {
        // checkRetention checks whether the app has rows of the others.
        let kept = try facts(of: target).keptFrom
        let days = try days().filter { $0 + .days(1) > kept ?? $0 }
        let owner = try target.connection.coordinating()
        for day in days { try owner.query(.Ingestion.ensurePartition, [.value(day)]) }
        let responses = try responseIDs()
        try source.connection.snapshot {
            let (from, into) = (source.connection, target.connection)
            try from.execute(script: .Reports.lockDeliveries)
            try from.query(.Moving.fixFormats)
            let parts = try parts(of: source, days, responses: responses, isMoving: true)
            try into.transaction {
                try into.execute(script: .Reports.lockDeliveries)
                try into.query(.Moving.fixFormats)
                try into.lockInTransaction(.copy, of: app.appID)
                try checkRetention(mayWrite: true)
                try removeLeftovers()
                for (part, copy) in zip(parts, try self.parts(of: target, days)) {
                    guard (part.name, part.columns) == (copy.name, copy.columns) else {
                        throw AppMoveError.notMigrated(target.number)
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
                let arrived = try into.query(
                    .Moving.beginArriving, [.value(app.appID), .value(source.id), .value(move.moveID)])
                guard arrived.first != nil else { throw AppMoveError.notConfirmed(target.number) }
            }
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

    /// The rows and bytes that a move copies, and an estimate of its duration: four times as long as reading
    /// them here.
    package func plan() throws -> AppMovePlan {
        guard try note(in: source) == nil else { throw AppMoveError.inProgress(cell: target.id) }
        try checkFacts(mayWrite: false)
        let days = try days()
        let started = ContinuousClock.now
        var plan = AppMovePlan()
        try source.connection.snapshot {
            try source.connection.execute(script: .Reports.lockDeliveries)
            for part in try parts(of: source, days) {
                let measure = try measure(part, in: source)
                plan.rows += measure.rowCount
                plan.bytes += measure.bytes
            }
        }
        plan.duration = started.duration(to: .now) * 4
        return plan
    }

    /// - Throws: ``AppMoveError/differs(_:count:)`` if the app's counters do not equal its rows.
    func recount(_ cell: Cell, _ progress: (String) -> Void) throws {
        let verification = try Verification.run(appID: app.appID, on: cell.connection) {
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

    // MARK: - Parts

    /// The days for which the source has notifications of any app.
    private func days() throws -> [Instant] {
        try source.connection.query(.Maintenance.listPartitions).column("day")
    }

    private func parts(
        of cell: Cell, _ days: [Instant], responses: (here: [Int64], there: [Int64]) = ([], []),
        isMoving: Bool = false
    ) throws -> [Part] {
        try cell.connection.query(
            .Moving.listCopies,
            [
                .value(app.appID), .array(responses.here), .array(responses.there), .array(days),
                .value(isMoving ? Int64(1) << 48 : 0), .value(Int32(isMoving ? 1 : 0)),
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
}
