package import DeliveryModel

public enum AccessError: Error, Equatable, Sendable, CustomStringConvertible {
    case invalidSlug(String)
    case slugTaken(String)
    case slugReserved(String, cell: Int)
    case noSuchKey(Int64, app: String)
    case twoSigningKeys(String, app: String)
    case unknownSetting(String)
    case invalidSetting(String, expectation: String)
    case otherCell(is: Int, named: Int)
    case cellTaken(Int)
    case schemaInUse
    case otherInstallation
    case rangeTaken(cell: Int, by: Int)
    case noRangeLeft

    public var description: String {
        switch self {
        case .invalidSlug(let slug):
            "'\(slug)' is not a valid app name: use at most 63 lowercase letters, digits, '.', '_' and '-', "
                + "beginning with a letter or digit"
        case .slugTaken(let slug):
            "app '\(slug)' already exists; 'landfall app list' shows all apps"
        case .slugReserved(let slug, let cell):
            "app '\(slug)' is being created in cell \(cell): repeat 'landfall app create \(slug) --cell \(cell)' "
                + "(or, if that cell is lost, another one with --take-over)"
        case .noSuchKey(let keyID, let app):
            "app '\(app)' has no key \(keyID) that can be revoked; 'landfall key list --app \(app)' shows its keys"
        case .twoSigningKeys(let kind, let app):
            "app '\(app)' already has two \(kind) keys: revoke the one that nothing signs with anymore "
                + "('landfall key list --app \(app)' shows them)"
        case .unknownSetting(let name):
            "there is no setting '\(name)': use one of \(AppSetting.all.map(\.name).joined(separator: ", "))"
        case .invalidSetting(let name, let expectation):
            "\(name) must be \(expectation)"
        case .otherCell(let number, let named):
            "this schema is cell \(number)'s, but database.cells lists it as cell \(named): correct the number"
        case .cellTaken(let cell):
            "cell \(cell) was added as another database or schema: use that one, or add this one under another number"
        case .schemaInUse: "this schema is cell 0's, or has apps or people: name an empty one"
        case .otherInstallation:
            "the tokens of this schema are sealed with another token key than those of cell 0: name an empty schema "
                + "(or, for a cell of this installation, give both the same key first: landfall tokens reseal)"
        case .rangeTaken(let cell, let owner):
            "cell \(cell) uses the ids of cell \(owner): run landfall migrate, and move no app between the two"
        case .noRangeLeft:
            "cell 0 has handed out all 1,024 ranges of ids: add no cell, and move apps only to one with higher ids"
        }
    }
}

/// A key names a cell that this server does not have.
public struct UnknownCell: Error, Equatable, CustomStringConvertible {
    package let cell: CellNumber

    package init(cell: CellNumber) { self.cell = cell }

    public var description: String {
        "this key belongs to cell \(cell), which this server does not have: add it to database.cells"
    }
}
