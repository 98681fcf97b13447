public import PostgresClient

/// PostgreSQL's extension `hll`, without which nothing is sketched.
public enum SketchExtension {
    /// Creates it in this database unless it exists. From then on, long windows of `reach` are estimated.
    ///
    /// - Throws: ``SketchExtensionError``, `PostgresError`.
    public static func create(on connection: PostgresConnection) throws {
        guard let known = try connection.query(.Maintenance.findSketchExtension).first else {
            throw SketchExtensionError.notOffered
        }
        guard try known.getOptional("installed_version", as: String.self) == nil else { return }
        do {
            try connection.coordinating().query(.Maintenance.createSketchExtension)
        } catch {
            guard error.sqlState == .insufficientPrivilege else { throw error }
            throw SketchExtensionError.notAllowed
        }
    }
}

public enum SketchExtensionError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The server's machine does not have the extension.
    case notOffered
    /// This user may not create extensions.
    case notAllowed

    public var description: String {
        switch self {
        case .notOffered:
            "the database server does not have the extension hll. On Debian and Ubuntu, it is the package "
                + "postgresql-NN-hll for the server's version: apt install postgresql-15-hll. Without it, "
                + "reach is counted exactly, which takes longer"
        case .notAllowed:
            "this user may not create extensions. Let a user who may run this once in this database: CREATE EXTENSION hll"
        }
    }
}
