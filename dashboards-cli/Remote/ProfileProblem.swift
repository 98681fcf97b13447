/// A profile that cannot be used or stored.
enum ProfileProblem: Error, Equatable, CustomStringConvertible {
    case notAnAddress(String)
    case moreThanAnAddress(String)
    case notAKey
    case otherKind(String)
    case notAName(String)
    case unknown(String, known: [String], path: String)
    case readableByOthers(path: String)
    case unreadable(path: String, reason: String)
    case notWritten(path: String, reason: String)

    var description: String {
        switch self {
        case .notAnAddress(let text):
            "'\(text)' is not the address of a server: use one such as https://push.example.com or "
                + "http://127.0.0.1:8080"
        case .moreThanAnAddress(let text):
            "the address '\(text)' contains a query, a fragment or a user: name only the server, such as "
                + "https://push.example.com"
        case .notAKey:
            "this is not a report key, which begins with lf_report_: landfall key create --kind report, run "
                + "where the database is, prints one"
        case .otherKind(let kind):
            "this is a \(kind) key, and reports are asked with a report key: landfall key create --kind report, "
                + "run where the database is, prints one"
        case .notAName(let name):
            "'\(name)' cannot be the name of a profile: use letters, digits, '-', '_' and '.'"
        case .unknown(let name, let known, let path):
            known.isEmpty
                ? "there is no profile '\(name)', and none else in \(path): landfall config set \(name) --server URL creates it"
                : "there is no profile '\(name)' in \(path), which has \(known.joined(separator: ", ")): "
                    + "landfall config set \(name) --server URL creates it"
        case .readableByOthers(let path):
            "other users may read the keys in \(path): run chmod 600 \(path)"
        case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)"
        case .notWritten(let path, let reason): "\(path) cannot be written: \(reason)"
        }
    }
}
