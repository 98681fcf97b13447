package import DeliveryModel
package import PostgresClient

/// The apps of all cells. Cell 0 has a row for each app of another cell; every other app is its own.
package struct CellDirectory {
    /// The sequence of a restored cell gives ids again. It has gone on if the creation of an app fails.
    private struct IDTaken: Error {}

    private let front: PostgresConnection

    /// - Parameter front: a connection to cell 0.
    package init(_ front: PostgresConnection) {
        self.front = front
    }

    /// Every app of every cell, ordered by slug. Only those of cell 0 have their additional providers.
    package func apps() throws(PostgresError) -> [App] {
        var apps: [App] = []
        for row in try front.query(.Access.listAllApps) {
            var app = App(
                appID: try row.get("app_id"), slug: try row.get("slug"),
                additionalProviders: try row.getArray("providers"))
            app.cell = CellNumber(Int(try row.get("cell", as: Int32.self))) ?? .front
            apps.append(app)
        }
        return apps
    }

    /// Creates an app. In cell 0, that is one transaction. In another cell, the slug is reserved first, and
    /// the app is recorded last, so a call that was killed may be repeated.
    ///
    /// - Parameters:
    ///   - connection: a connection to the cell. Neither this one nor cell 0's may be in a transaction.
    ///   - takesOver: releases the slug if it is reserved for a cell that is lost.
    ///   - note: runs in the transaction that creates the app, once.
    /// - Throws: ``AccessError``, `PostgresError`, and what `note` throws.
    package func create(
        slug: String, in cell: CellNumber, on connection: PostgresConnection, at now: Instant,
        takesOver: Bool = false, note: (App) throws -> Void = { _ in }
    ) throws -> App {
        try cell.check(connection)
        if takesOver { try front.query(.Access.releaseSlug, [.value(slug), .value(Int32(cell.number))]) }
        if cell != .front { try reserve(slug, for: cell) }
        let directory = AppDirectory(connection)
        let app: App
        do {
            app = try connection.transaction {
                let known = try cell == .front ? nil : directory.apps().first { $0.slug == slug }
                var app = try known ?? directory.createApp(slug: slug, at: now)
                app.cell = cell
                guard known == nil else { return app }
                guard try !apps().contains(where: { $0.appID == app.appID && $0.slug != slug }) else {
                    throw IDTaken()
                }
                try note(app)
                return app
            }
        } catch is IDTaken {
            return try create(slug: slug, in: cell, on: connection, at: now, note: note)
        }
        if cell != .front { try front.query(.Access.endReservation, [.value(slug), .value(app.appID)]) }
        return app
    }

    private func reserve(_ slug: String, for cell: CellNumber) throws {
        guard App.isValid(slug: slug) else { throw AccessError.invalidSlug(slug) }
        let reserved = try front.transaction {
            try front.execute(script: .Access.lockDirectory)
            return try front.query(.Access.reserveSlug, [.value(slug), .value(Int32(cell.number))])
        }
        guard reserved.count == 1 else { throw try AppDirectory(front).reasonWhyTaken(slug) }
    }
}
