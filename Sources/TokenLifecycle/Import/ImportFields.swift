internal import Foundation

/// A row of a CSV table or a line of JSON, unparsed. An empty field counts as absent.
struct ImportFields: Decodable {
    enum Column: String, CodingKey, CaseIterable {
        case value, provider, kind, environment, topic
        case registeredAt = "registered_at"
        case deviceID = "device_id"
        case account, platform
        case appVersion = "app_version"
        case osVersion = "os_version"
        case language, permission, tags
    }

    private var texts: [Column: String] = [:]
    private(set) var tags: [String]?

    /// Returns `nil` for a field that is absent or empty.
    subscript(column: Column) -> String? { texts[column] }

    /// - Parameter columns: the meaning of each field; `nil` for a column that is skipped.
    init(_ fields: [String], columns: [Column?]) {
        for (field, column) in zip(fields, columns) {
            guard let column else { continue }
            let text = field.trimmingCharacters(in: .whitespaces)
            if column == .tags {
                tags = Self.tags(text.components(separatedBy: ";"))
            } else if !text.isEmpty {
                texts[column] = text
            }
        }
    }

    /// Reads strings and whole numbers; tags are an array of strings.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Column.self)
        for column in Column.allCases where column != .tags {
            let text = try Self.text(of: column, in: container)
            if let text, !text.isEmpty { texts[column] = text }
        }
        tags = Self.tags(try container.decodeIfPresent([String].self, forKey: .tags) ?? [])
    }

    private static func text(of column: Column, in container: KeyedDecodingContainer<Column>) throws
        -> String?
    {
        if let number = try? container.decodeIfPresent(Int64.self, forKey: column) { return String(number) }
        return try container.decodeIfPresent(String.self, forKey: column)
    }

    private static func tags(_ texts: [String]) -> [String]? {
        let tags = texts.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        return tags.isEmpty ? nil : tags
    }
}
