internal import Documents
internal import Rendering

/// The profiles of this user in every output format, without their keys.
struct ProfileList {
    let profiles: [String: Profile]
    /// The name of the profile that the environment names.
    let chosen: String?

    private typealias Row = (name: String, profile: Profile)

    private var rows: [Row] {
        profiles.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private var columns: Listing<Row> {
        Listing(
            .text("name", "Profile", group: 0) { $0.name },
            .text("server", "Server") { $0.profile.server },
            .text("key_prefix", "Key begins with", shown: { $0.profile.keyPrefix + $1.ellipsis }) {
                $0.profile.keyPrefix
            },
            .flag("chosen", "", (ProfileOption.environmentVariable, "")) { $0.name == chosen })
    }

    var document: JSONValue { ["profiles": columns.json(rows)] }

    var csv: CSVText { columns.csv(rows) }

    func lines(_ style: OutputStyle) -> [String] {
        profiles.isEmpty ? [] : columns.table(rows, style).lines(style)
    }
}
