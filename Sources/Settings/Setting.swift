/// One setting: its names, its valid values, and the property of `Values` that it sets.
public struct Setting<Values: Sendable>: Sendable {
    public enum Secrecy: Sendable {
        case open
        /// Never shown.
        case secret
        /// A connection string: shown without its password.
        case password
    }

    /// The type of the value in `config --json`.
    public enum Form: Sendable {
        case text, number, toggle
    }

    /// The name with dots, as in the file: `limits.items`.
    public let name: String
    /// Such as `--port`, for the few that have one.
    public let flag: String?
    public let form: Form
    /// The unit of the value; empty if it has none.
    public let unit: String
    public let secrecy: Secrecy
    public let summary: String
    /// The valid values, in words that follow "must be".
    public let expectation: String
    /// The value as people write it.
    public let read: @Sendable (Values) -> String
    /// Returns `false` if the text is not a valid value of this setting.
    public let write: @Sendable (String, inout Values) -> Bool

    /// `LANDFALL_LIMITS_ITEMS`
    public var environmentVariable: String {
        "LANDFALL_" + name.uppercased().replacing(".", with: "_")
    }

    /// The value as it may be shown.
    public func shown(_ text: String) -> String {
        guard !text.isEmpty else { return "" }
        return switch secrecy {
        case .open: text
        case .secret: "***"
        case .password: ConnectionString.redacted(text)
        }
    }
}
