/// Why there is no backup, or nothing was restored.
public enum BackupError: Error, Equatable, Sendable, CustomStringConvertible {
    case alreadyThere(String)
    case notWritten(path: String, reason: String)
    case unreadable(String)
    case wrongPassphrase
    case truncated
    case damaged
    case programFailed(program: String, output: String)
    case notEmpty(schemas: [String])
    case newer(unknown: [String])
    case stopped

    public var description: String {
        switch self {
        case .alreadyThere(let path):
            "\(path) exists already: give the backup another name, such as one with the date"
        case .notWritten(let path, let reason): "\(path) could not be written: \(reason)"
        case .unreadable(let reason): "the file cannot be read as a backup: \(reason)"
        case .wrongPassphrase:
            "the passphrase does not open this backup, or the beginning of the file is damaged"
        case .truncated:
            "the backup ends too early: it was not written or copied to its end. Nothing was changed"
        case .damaged: "the backup is damaged: what it holds is not what was written. Nothing was changed"
        case .programFailed(let program, let output):
            "\(program) failed:\n\(output.isEmpty ? "It said nothing." : output)"
        case .notEmpty(let schemas):
            "this database has the schema \(schemas.joined(separator: " and ")) already, and a backup is restored into an "
                + "empty database only. Nothing was changed: createdb makes a new one, or name another folder in LANDFALL_DATA"
        case .newer(let unknown):
            "the backup is of a newer Landfall: it has the migrations \(unknown.joined(separator: ", ")). Restore it with "
                + "that version or a later one"
        case .stopped: "stopped: nothing was kept"
        }
    }
}
