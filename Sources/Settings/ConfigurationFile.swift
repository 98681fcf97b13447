internal import Configuration
internal import Foundation

/// A JSON file of settings: either nested objects, or names with dots. `{"limits": {"items": 5000}, "log.level": "info"}`
public struct ConfigurationFile: Sendable {
    /// Names the file if no flag does.
    public static let environmentVariable = "LANDFALL_CONFIG"

    public let path: String
    let snapshot: JSONSnapshot
    /// The names of all values, sorted. The snapshot can only look up names that are already known.
    public let keys: [String]

    /// - Throws: ``SettingsError`` if the file cannot be read or is not a JSON object.
    public init(path: String) throws(SettingsError) {
        guard let content = FileManager.default.contents(atPath: path) else {
            throw SettingsError(problems: [
                "the configuration file \(path) cannot be read: check its path and its permissions"
            ])
        }
        do {
            let bytes = Array(content)
            snapshot = try JSONSnapshot(data: bytes.span.bytes, providerName: path, parsingOptions: .default)
            keys = Self.keys(in: try JSONSerialization.jsonObject(with: content), below: "").sorted()
            self.path = path
        } catch {
            throw SettingsError(problems: [
                "the configuration file \(path) must be one JSON object, such as {\"limits\": {\"items\": 5000}}"
            ])
        }
    }

    private static func keys(in value: Any, below path: String) -> [String] {
        guard let object = value as? [String: Any] else { return [path] }
        return object.flatMap { keys(in: $1, below: path.isEmpty ? $0 : "\(path).\($0)") }
    }
}
