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
        case language, permission, tags, p256dh, auth
    }

    private var texts: [Column: String] = [:]
    private(set) var tags: [String]?
    /// Fields of a JSON object that are not read.
    private(set) var ignored: [String] = []
    /// Whether a field contains a word for a missing value, such as NULL. The field counts as absent.
    private(set) var hasWordForNothing = false

    /// Returns `nil` for a field that is absent or empty.
    subscript(column: Column) -> String? { texts[column] }

    var hasKeys: Bool { self[.p256dh] != nil || self[.auth] != nil }

    /// - Parameter columns: the meaning of each field; `nil` for a column that is skipped.
    init(_ fields: [String], columns: [Column?]) {
        for (field, column) in zip(fields, columns) {
            guard let column else { continue }
            let text = field.trimmingCharacters(in: .whitespaces)
            if column == .tags {
                tags = Self.tags(text.components(separatedBy: ";"))
            } else {
                set(column, text)
            }
        }
    }

    /// A token's value is always kept, because ``TokenValue`` says why it is not a token.
    private mutating func set(_ column: Column, _ text: String) {
        guard !text.isEmpty else { return }
        guard column == .value || !ImportMistake.isWordForNothing(text) else {
            hasWordForNothing = true
            return
        }
        texts[column] = text
    }

    /// Reads strings and numbers; the fraction of a time is dropped. Tags are an array of strings.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Column.self)
        for column in Column.allCases where column != .tags {
            if let text = try Self.text(of: column, in: container) { set(column, text) }
        }
        tags = Self.tags(try container.decodeIfPresent([String].self, forKey: .tags) ?? [])
        ignored = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue).filter {
            Column(rawValue: $0) == nil
        }
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) { nil }
    }

    private static func text(of column: Column, in container: KeyedDecodingContainer<Column>) throws
        -> String?
    {
        if let number = try? container.decodeIfPresent(Int64.self, forKey: column) { return String(number) }
        // A time may have a fraction, as in JavaScript.
        if column == .registeredAt, let number = try? container.decodeIfPresent(Double.self, forKey: column),
            let whole = Int64(exactly: number.rounded(.towardZero))
        {
            return String(whole)
        }
        return try container.decodeIfPresent(String.self, forKey: column)
    }

    private static func tags(_ texts: [String]) -> [String]? {
        let tags = texts.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        return tags.isEmpty ? nil : tags
    }
}
