internal import Configuration
internal import Foundation

/// A JSON file of settings: objects nest, or names have dots. `{"limits": {"items": 5000}, "log.level": "info"}`
public struct ConfigurationFile: Sendable {
    /// Names the file where no flag does.
    public static let environmentVariable = "LANDFALL_CONFIG"

    public let path: String
    let snapshot: JSONSnapshot
    /// The names of all its values, in order. The snapshot answers only for names that one asks for.
    public let keys: [String]

    /// - Throws: ``SettingsError`` when it cannot be read or is no JSON object.
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
