internal import DeliveryModel
internal import PostgresClient

/// The facts that two cells must have in common.
extension AppMove {
    struct Facts: Decodable {
        let migrations: String?
        let tokenKey: [UInt8]?
        let keptFrom: Instant?
        /// The app with the slug of the app that moves.
        let appID: Int64?
        let generation: Int32?
    }

    func facts(of cell: Cell) throws -> Facts {
        do {
            return try cell.connection.query(.Moving.readFacts, [.value(app.slug)]).single().decode()
        } catch  where error.lacksSchema {
            throw AppMoveError.notMigrated(cell.number)
        }
    }

    /// - Parameter mayWrite: whether a target without a token key, or without notifications that old, adopts
    ///   what the source has.
    func checkFacts(mayWrite: Bool) throws {
        let (here, there) = (try facts(of: source), try facts(of: target))
        guard here.appID == app.appID else { throw AppMoveError.notHere(app.slug, source.number) }
        guard here.migrations == there.migrations else { throw AppMoveError.notMigrated(target.number) }
        var key = there.tokenKey
        if mayWrite, key == nil, let own = here.tokenKey {
            key = try target.connection.query(
                .Administration.claimSetting, [.value("token_key_check"), .value(own)]
            ).first?.get("value")
        }
        guard key == nil || here.tokenKey == nil || key == here.tokenKey else {
            throw AppMoveError.otherTokenKey(target.number)
        }
        guard there.appID ?? app.appID == app.appID else {
            throw AppMoveError.slugTaken(app.slug, target.number)
        }
        if try note(in: target)?.state == .left { throw AppMoveError.notConfirmed(target.number) }
        try checkRetention(mayWrite: mayWrite)
    }

    /// Both cells must keep the app's notifications from the same day on: its counters from before it cannot
    /// be recounted, and an event from before it must not count again. If the target keeps more, and has none
    /// of those days, it adopts the source's day.
    func checkRetention(mayWrite: Bool) throws {
        let (here, there) = (try facts(of: source).keptFrom, try facts(of: target).keptFrom)
        for (cell, kept) in [(source, here), (target, there)] {
            // While an app is being moved, no day is closed (landfall.close_delivery_partition).
            if let kept, try hasOlder(kept, in: cell) { throw AppMoveError.closedDay(cell.number) }
        }
        if let there, here.map({ $0 < there }) ?? true {
            guard try !hasOlder(there, of: app.appID, in: source) else {
                throw AppMoveError.otherRetention(source.number)
            }
        } else if let here, here != there {
            guard try !hasOlder(here, in: target) else { throw AppMoveError.otherRetention(target.number) }
            if mayWrite { try target.connection.query(.Moving.keepFrom, [.value(here)]) }
        }
    }

    private func hasOlder(_ instant: Instant, of appID: Int64? = nil, in cell: Cell) throws -> Bool {
        try cell.connection.query(.Moving.hasOlder, [.value(instant), .value(appID)]).single()
            .get("has_older")
    }
}
