internal import DeliveryModel

public enum PeopleError: Error, Equatable, Sendable, CustomStringConvertible {
    case invalidName(String)
    case nameTaken(String)
    case noSuchPerson(String)
    /// `app` is `nil` for the role in all apps.
    case noSuchGrant(name: String, app: String?)
    case shortPassphrase
    case longPassphrase
    case invalidSharedPath
    case invalidShareTitle
    case noSuchShareLink(Int64, app: String)

    public var description: String {
        switch self {
        case .invalidName(let name):
            "'\(name)' is not a valid name: use an e-mail address or user name of at most \(FieldLimits.person) "
                + "characters, without spaces"
        case .nameTaken(let name):
            "'\(name)' already exists; 'landfall person grant \(name)' changes the role, "
                + "'landfall person link \(name)' creates a new link"
        case .noSuchPerson(let name):
            "there is no person '\(name)'; 'landfall person list' shows all"
        case .noSuchGrant(let name, let app):
            "'\(name)' has no role " + (app.map { "of their own in app '\($0)'" } ?? "in all apps")
                + "; 'landfall person list' shows the roles"
        case .shortPassphrase:
            "the passphrase is shorter than \(Passphrase.shortest) characters: choose a longer one"
        case .longPassphrase:
            "the passphrase is longer than \(Passphrase.longest) bytes: choose a shorter one"
        case .invalidSharedPath:
            "only a page of this server can be shared: its path begins with one '/' and has at most "
                + "\(FieldLimits.sharedPath) bytes"
        case .invalidShareTitle:
            "the title of a shared page must be one line of 1 to \(FieldLimits.line) characters"
        case .noSuchShareLink(let id, let app):
            "app '\(app)' has no share link \(id): it is revoked already, or has expired"
        }
    }
}
