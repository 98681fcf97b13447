public enum BackupError: Error, Equatable, Sendable, CustomStringConvertible {
    case alreadyThere(String)
    case notWritten(path: String, reason: String)
    case unreadable(String)
    case wrongPassphrase
    case truncated
    case damaged
    case programFailed(program: String, output: String)
    case notEmpty(schemas: [String])
    case ofSchema(String)
    case ofCell(UInt8)
    case newer(unknown: [String])
    case stopped

    public var description: String {
        switch self {
        case .alreadyThere(let path):
            "\(path) already exists: choose another name for the backup, such as one with the date"
        case .notWritten(let path, let reason): "\(path) could not be written: \(reason)"
        case .unreadable(let reason): "the file is not a readable backup: \(reason)"
        case .wrongPassphrase:
            "the passphrase is wrong, or the beginning of the file is damaged"
        case .truncated:
            "the backup is truncated: it was not written or copied completely. Nothing was changed"
        case .damaged: "the backup is damaged: its content is not what was written. Nothing was changed"
        case .programFailed(let program, let output):
            "\(program) failed:\n\(output.isEmpty ? "It printed nothing." : output)"
        case .notEmpty(let schemas):
            "this database already has the schema \(schemas.joined(separator: " and ")), and a backup can "
                + "only be restored into an empty database. Nothing was changed: create a new database with "
                + "createdb, or set LANDFALL_DATA to another folder"
        case .ofSchema(let schema):
            "the backup is of the schema \(schema), and can only be restored under this name. Nothing was "
                + "changed: name the schema \(schema) in database.cells"
        case .ofCell(let cell):
            "the backup is of cell \(cell): restore it with --cell \(cell). Nothing was changed"
        case .newer(let unknown):
            "the backup was made by a newer version of Landfall: it has the migrations "
                + "\(unknown.joined(separator: ", ")). Restore it with that version or a later one"
        case .stopped: "stopped: nothing was kept"
        }
    }
}
