import DeliveryModel
import Foundation

@testable import Ingestion

/// A second reader, by Foundation, which ``PostedEventReader`` must agree with.
enum EventReference {
    /// The fields; or the rejection of the item or of its first wrong field.
    static func read(_ item: [UInt8]) -> Result<PostedValues, ItemRejection> {
        guard isObject(item), let reading = try? JSONDecoder().decode(Reading.self, from: Data(item)) else {
            return .failure(.malformed)
        }
        if let misfit = reading.misfit { return .failure(misfit.misfit) }
        return .success(PostedValues(reading.byField))
    }

    /// `JSONDecoder` does not read fields that are not requested; `JSONSerialization` does. Both allow a
    /// comma after the last field of an object, which RFC 8259 does not.
    private static func isObject(_ item: [UInt8]) -> Bool {
        (try? JSONSerialization.jsonObject(with: Data(item))) is [String: Any] && !hasTrailingComma(item)
    }

    private static func hasTrailingComma(_ item: [UInt8]) -> Bool {
        var last: UInt8?
        var rest = item[...]
        while let byte = rest.first {
            if last == UInt8(ascii: ","), byte == UInt8(ascii: "}") { return true }
            if !" \t\r\n".utf8.contains(byte) { last = byte }
            rest = byte == UInt8(ascii: "\"") ? rest[endOfString(rest)...] : rest.dropFirst()
        }
        return false
    }

    /// The item with `0.5`, which is wrong for every field, instead of everything outside strings that looks
    /// like a word but is none.
    ///
    /// - Parameter isOdd: further restricts the words.
    static func emptyingOddWords(_ item: [UInt8], where isOdd: (String) -> Bool = { _ in true }) -> [UInt8] {
        let wordParts = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.".utf8)
        var emptied: [UInt8] = []
        var rest = item[...]
        while let byte = rest.first {
            let word = rest.prefix { wordParts.contains($0) }
            if byte == UInt8(ascii: "\"") {
                let end = endOfString(rest)
                emptied += rest[..<end]
                rest = rest[end...]
            } else if word.isEmpty {
                emptied.append(rest.removeFirst())
            } else {
                let isWord = isObject(Array(#"{"":"#.utf8) + word + Array("}".utf8))
                emptied +=
                    isWord || !isOdd(String(decoding: word, as: UTF8.self)) ? Array(word) : Array("0.5".utf8)
                rest = rest.dropFirst(word.count)
            }
        }
        return emptied
    }

    private static func endOfString(_ text: ArraySlice<UInt8>) -> Int {
        var position = text.startIndex + 1
        while position < text.endIndex, text[position] != UInt8(ascii: "\"") {
            position += text[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(position + 1, text.endIndex)
    }

    private struct Reading: Decodable {
        var byField: [PostedField: String] = [:]
        var misfit: PostedField?

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            for field in PostedField.allCases where misfit == nil {
                let key = Key(stringValue: field.name)
                guard container.contains(key), try container.decodeNil(forKey: key) == false else { continue }
                do {
                    byField[field] = try Self.value(of: field, try container.superDecoder(forKey: key))
                } catch  where !field.isLabel {
                    misfit = field
                } catch {
                    // The item is recorded without it.
                }
            }
        }

        /// Returns `nil` for a value that counts as absent.
        private static func value(of field: PostedField, _ decoder: any Decoder) throws -> String? {
            let container = try decoder.singleValueContainer()
            switch field {
            case .status, .dropped:
                guard let text = (try? container.decode(String.self))?.canonicalName else {
                    return "\(try container.decode(Int.self))"
                }
                let isNumber =
                    (1...10).contains(text.utf8.count) && text.utf8.allSatisfy { (48...57).contains($0) }
                guard isNumber || (field == .status && (1...64).contains(text.utf8.count)) else {
                    throw DecodingError.dataCorruptedError(in: container, debugDescription: "no number")
                }
                return isNumber ? Int(text).map { "\($0)" } : text
            case .priority: return (try? container.decode(Int.self)).map { "\($0)" }
            // An object as reason is the error, too.
            case .error, .reason: return nil
            case .mutableContent, .contentAvailable, .final, .tokenMalformed, .hasText, .shared:
                return "\(try container.decode(Bool.self))"
            case .sentAt, .timestamp, .expiresAt, .occurredAt, .reportedAt:
                guard field != .timestamp, (try? container.decode(Int64.self)) != nil else { return nil }
                return try PostedInstant(from: decoder).instant.map { "\($0.millisecondsSinceEpoch)" }
            case .notificationID, .messageID:
                let number = (try? container.decode(Int64.self)).map { String($0) }
                let text = try number ?? container.decode(String.self)
                guard text.unicodeScalars.count <= 255, !text.utf8.contains(0) else { return nil }
                return (try? ChosenID(text)).map { "\($0)" } ?? "invalid"
            case .deviceID:
                let text = try container.decode(String.self)
                // Foundation's reader uses `sscanf`, which accepts signs and white space as digits.
                let hyphens = [8, 13, 18, 23]
                guard
                    text.enumerated().allSatisfy({ position, character in
                        hyphens.contains(position) ? character == "-" : character.isHexDigit
                    })
                else { return "invalid" }
                return UUID(uuidString: text)?.uuidString ?? "invalid"
            case .token, .type, .provider, .receipt: return try container.decode(String.self)
            default: return try container.decode(String.self).canonicalName
            }
        }
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
