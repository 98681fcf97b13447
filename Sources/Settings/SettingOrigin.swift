/// The source of a value, in order of precedence.
public enum SettingOrigin: Hashable, Sendable, CustomStringConvertible {
    case flag(String)
    case environment(String)
    /// A file of one value.
    case credential(String)
    case file(path: String, key: String)
    case standard

    public var description: String {
        switch self {
        case .flag(let name): "flag \(name)"
        case .environment(let name): "environment \(name)"
        case .credential(let path): "credential \(path)"
        case .file(let path, let key): "file \(path) (\(key))"
        case .standard: "default"
        }
    }

    /// The word for programs: `flag`, `environment`, `credential`, `file` or `default`.
    public var kind: String {
        switch self {
        case .flag: "flag"
        case .environment: "environment"
        case .credential: "credential"
        case .file: "file"
        case .standard: "default"
        }
    }
}
