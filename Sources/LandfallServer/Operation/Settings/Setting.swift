/// One setting: its names, what it may be, and which value of ``SettingValues`` it stands for. The list ``Setting/all`` is what is
/// parsed, what `landfall-server config` shows and what docs/operations.md must name.
struct Setting: Sendable {
    enum Secrecy: Sendable {
        case open
        /// Never shown.
        case secret
        /// A connection string: shown without its password.
        case password
    }

    /// What `config --json` shows the value as.
    enum Form: Sendable {
        case text, number, toggle
    }

    /// With dots, as in the file: `limits.items`.
    let name: String
    /// Such as `--port`, for the few that have one.
    let flag: String?
    let form: Form
    /// What the value counts; empty when it counts nothing.
    let unit: String
    let secrecy: Secrecy
    let summary: String
    /// What would be right, in words that stand behind "must be".
    let expectation: String
    /// The value as people write it.
    let read: @Sendable (SettingValues) -> String
    /// False when the text is no value of this setting.
    let write: @Sendable (String, inout SettingValues) -> Bool

    /// `LANDFALL_LIMITS_ITEMS`
    var environmentVariable: String {
        "LANDFALL_" + name.uppercased().replacing(".", with: "_")
    }

    var defaultText: String { read(SettingValues()) }

    /// The value as it may be shown.
    func shown(_ text: String) -> String {
        guard !text.isEmpty else { return "" }
        return switch secrecy {
        case .open: text
        case .secret: "***"
        case .password: ConnectionString.redacted(text)
        }
    }
}
