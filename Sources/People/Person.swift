internal import DeliveryModel
internal import Foundation
internal import PostgresClient

/// Someone who may sign in to the console.
public struct Person: Hashable, Sendable {
    public let id: Int64
    /// An e-mail address or user name, normalized.
    public let name: String
    public let grants: Grants
    public let hasPassphrase: Bool

    /// The form in which a name is stored and compared: in lowercase, with composed characters.
    ///
    /// - Throws: ``PeopleError/invalidName(_:)`` for names that are empty, too long or have spaces or invisible characters.
    public static func normalized(_ name: String) throws(PeopleError) -> String {
        let normal = name.lowercased().precomposedStringWithCanonicalMapping
        guard (1...FieldLimits.person).contains(normal.unicodeScalars.count),
            normal.unicodeScalars.allSatisfy(\.isVisible)
        else { throw .invalidName(name) }
        return normal
    }
}

extension Person {
    /// Reads the columns of `landfall.granted_person`.
    init(_ row: PostgresRow) throws(PostgresError) {
        let appIDs = try row.getArray("grant_app_ids", of: Int64.self)
        // A role that a later version has added grants nothing here.
        let roles = try row.getArray("grant_roles", of: String.self).map(Role.init)
        var byApp: [Int64: Role] = [:]
        for (appID, role) in zip(appIDs, roles) { byApp[appID] = role }
        let everywhere = byApp.removeValue(forKey: 0)
        self.init(
            id: try row.get("person_id"), name: try row.get("name"),
            grants: Grants(everywhere: everywhere, byApp: byApp),
            hasPassphrase: try row.get("has_passphrase"))
    }
}

extension Unicode.Scalar {
    /// False for spaces, controls, and characters by which two names could look the same.
    fileprivate var isVisible: Bool {
        guard !properties.isWhitespace, !properties.isDefaultIgnorableCodePoint else { return false }
        return switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
            .spaceSeparator:
            false
        default: true
        }
    }
}
