public import Access

/// The roles of a person: one for each app, and one for all apps, including those that are created later.
public struct Grants: Hashable, Sendable {
    /// The role in all apps.
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
