/// The source of a value, in order of precedence.
public enum SettingOrigin: Hashable, Sendable, CustomStringConvertible {
    case flag(String)
    case environment(String)
    case file(path: String, key: String)
    case standard

    public var description: String {
        switch self {
        case .flag(let name): "flag \(name)"
        case .environment(let name): "environment \(name)"
        case .file(let path, let key): "file \(path) (\(key))"
        case .standard: "default"
        }
    }

    /// For programs: `flag`, `environment`, `file` or `default`.
    public var kind: String {
        switch self {
        case .flag: "flag"
        case .environment: "environment"
        case .file: "file"
        case .standard: "default"
        }
    }
}
