public import DeliveryModel
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
    /// - Throws: ``PeopleError/invalidName(_:)`` for names that are empty, too long or have spaces or
    ///   invisible characters.
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

/// The roles of a person: one for each app, and one for all apps, including those that are created later.
public struct Grants: Hashable, Sendable {
    public let everywhere: Role?
    /// The roles in single apps, by `appID`.
    public let byApp: [Int64: Role]

    public init(everywhere: Role? = nil, byApp: [Int64: Role] = [:]) {
        self.everywhere = everywhere
        self.byApp = byApp
    }

    /// - Parameter app: `nil` for all apps.
    public init(_ role: Role, in app: App? = nil) {
        if let app { self.init(byApp: [app.appID: role]) } else { self.init(everywhere: role) }
    }

    /// `nil` if the person has no access to the app.
    public func role(in app: App) -> Role? {
        [everywhere, byApp[app.appID]].compactMap(\.self).max()
    }

    /// The apps to which the person has access, in the order given.
    public func apps(of all: [App]) -> [App] { all.filter { role(in: $0) != nil } }

    public var isEmpty: Bool { everywhere == nil && byApp.isEmpty }
}

/// What a person may do in an app. Each role includes those before it.
public enum Role: String, CaseIterable, Comparable, Sendable {
    /// Reads reports.
    case viewer
    /// Decides about breakers and quarantine, and annotates.
    case `operator`
    /// Manages people and keys, and erases.
    case admin

    public static func < (left: Role, right: Role) -> Bool {
        allCases.drop { $0 != left }.dropFirst().contains(right)
    }
}
