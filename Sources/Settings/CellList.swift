package import Basics
package import DeliveryModel
internal import Foundation
package import PostgresClient

/// The place of a cell: a database, and a schema in it.
package struct CellAddress: Hashable, Sendable {
    package let cell: CellNumber
    /// Anything libpq accepts.
    package let url: String
    package let schema: SchemaName

    package init(cell: CellNumber, url: String, schema: SchemaName) {
        (self.cell, self.url, self.schema) = (cell, url, schema)
    }
}

/// The cells of `database.cells`, by number, one of which is cell 0; empty if the setting is.
public struct CellList: Sendable {
    package let addresses: [CellAddress]

    package init(_ addresses: [CellAddress] = []) {
        self.addresses = addresses.sorted { $0.cell < $1.cell }
    }

    /// Reads `[{"cell":0,"url":"…"},{"cell":3,"url":"…","schema":"landfall_3"}]`.
    ///
    /// - Throws: ``SettingsError`` with every problem; with none if the text is not JSON of this form.
    package init(_ text: String) throws(SettingsError) {
        let json = try? JSONSerialization.jsonObject(with: Data(text.utf8))
        guard let entries = json as? [[String: Any]] else { throw SettingsError(problems: []) }
        var (addresses, problems) = ([CellAddress](), [String]())
        for entry in entries {
            guard let cell = (entry["cell"] as? Int).flatMap({ CellNumber($0) }) else {
                problems.append("each entry needs a \"cell\" from 0 to \(CellNumber.greatest)")
                continue
            }
            guard let url = entry["url"] as? String, !url.isEmpty else {
                problems.append("cell \(cell) needs a \"url\": a private database has no cells")
                continue
            }
            guard let schema = SchemaName(entry["schema", default: SchemaName.landfall.text] as? String ?? "")
            else {
                problems.append(
                    "the \"schema\" of cell \(cell) must be a lowercase letter and up to 40 lowercase letters, "
                        + "digits and _, with at least one digit or _, such as landfall_\(cell), and no name that "
                        + "PostgreSQL uses")
                continue
            }
            let address = CellAddress(cell: cell, url: url, schema: schema)
            if addresses.contains(where: { $0.cell == cell }) {
                problems.append("cell \(cell) is listed twice: each cell has one database and one schema")
            } else if let twin = addresses.first(where: { $0.url == url && $0.schema == schema }) {
                problems.append(
                    "cells \(twin.cell) and \(cell) have the same url and schema: give one of them a \"schema\" "
                        + "such as landfall_\(max(twin.cell, cell))")
            }
            addresses.append(address)
        }
        if !entries.contains(where: { $0["cell"] as? Int == 0 }) {
            problems.append("there is no cell 0, which has the people and the directory of all apps")
        }
        guard problems.isEmpty else { throw SettingsError(problems: problems) }
        self.init(addresses)
    }

    package func document(_ shown: (String) -> String = { $0 }) -> JSONValue {
        .array(
            addresses.map {
                [
                    "cell": .integer(Int64($0.cell.number)), "url": .string(shown($0.url)),
                    "schema": .string($0.schema.text),
                ]
            })
    }

    /// The value as people write it.
    var text: String { addresses.isEmpty ? "" : document().lineText }

    /// The problems of the text; none if it is not JSON of this form.
    static func problems(in text: String) -> [String] {
        do { _ = try CellList(text) } catch { return error.problems }
        return []
    }

    /// The value with each password replaced; `***` if the text is not a valid value.
    static func redacted(_ text: String) -> String {
        (try? CellList(text))?.document(ConnectionString.redacted).lineText ?? "***"
    }
}
