package import DeliveryModel
internal import Foundation
package import PostgresClient

/// An app, and the cell that has it. A program that opens a cell compares the cell's apps with what cell 0
/// knows of them, because either cell may have been restored from a backup from before a move.
package struct CellApp: Decodable, Sendable, CustomStringConvertible {
    let appID: Int64
    let slug: String
    let cell: Int32
    let generation: Int32

    package static func all(in cell: CellNumber, on connection: PostgresConnection) throws -> [CellApp] {
        try connection.query(.Access.listGenerations, [.value(Int32(cell.number))]).decode()
    }

    /// Records in cell 0 what it has forgotten of another cell's apps.
    ///
    /// - Returns: those of which either cell has an older copy. The caller retires it in the other cell.
    package static func compare(_ apps: [CellApp], in front: PostgresConnection) throws -> [CellApp] {
        guard let cell = apps.first?.cell else { return [] }
        let (ids, slugs) = (apps.map(\.appID), apps.map(\.slug))
        let differences: [CellApp] = try front.query(
            .Access.compareApps, [.value(cell), .array(ids), .array(slugs), .array(apps.map(\.generation))]
        ).decode()
        return try differences.filter { app in
            guard app.cell == cell else { return true }
            try front.query(
                .Moving.recordCell,
                [.value(app.slug), .value(app.appID), .value(cell), .value(app.generation)])
            return try app.retireCopy(on: front)
        }
    }

    /// Ends the life of an older copy as a move does: nothing writes it, and its keys lead to the app.
    ///
    /// - Returns: whether there is one here.
    @discardableResult
    package func retireCopy(on connection: PostgresConnection) throws -> Bool {
        try connection.transaction {
            let retired = try connection.query(
                .Moving.retireCopy, [.value(appID), .value(cell), .value(generation), .value(UUID())])
            guard retired.count > 0 else { return false }
            try connection.query(.Moving.redirectKeys, [.value(appID), .value(cell)])
            return true
        }
    }

    package var description: String {
        "the app \(slug) is in cell \(cell), and an older copy, from a backup, is refused: "
            + "landfall app move \(slug) --to \(cell) --confirm removes it"
    }
}
