internal import Foundation

extension String {
    /// The canonical form of a name: Unicode NFC, without white space and invisible marks at the ends. Names
    /// get it once, when they are read: file systems and input methods decompose letters, spreadsheets add
    /// spaces, and editors a byte order mark. Filters use the same form.
    public var canonicalName: String {
        if let first = utf8.first, let last = utf8.last, first > 0x20, last > 0x20,
            utf8.allSatisfy({ $0 < 0x80 })
        {
            return self
        }
        return trimmingCharacters(in: Self.invisible).precomposedStringWithCanonicalMapping
    }

    /// White space, and marks without a width: the byte order mark, word joiners, and marks of direction.
    private static let invisible = CharacterSet.whitespacesAndNewlines.union(
        CharacterSet(charactersIn: "\u{FEFF}\u{200B}\u{2060}\u{200E}\u{200F}"))

    /// The canonical form of a language tag (BCP 47): current codes, hyphens, and each part in its usual
    /// case. Old Java and Android versions return former codes and write `in_ID`. Other text stays as it is.
    public var canonicalLanguage: String {
        let name = canonicalName
        let tag = name.prefix { $0 != "." && $0 != "@" }
        var parts = tag.split(whereSeparator: { "-_#".contains($0) }).map { $0.lowercased() }
        // Extensions (`-u-hc-h23`) are the user's calendar and units, and not part of the language.
        if let singleton = parts.firstIndex(where: { $0.count == 1 }) { parts.removeSubrange(singleton...) }
        guard let language = parts.first, (2...8).contains(language.count),
            parts.allSatisfy({ $0.utf8.allSatisfy(\.isLetterOrDigit) })
        else { return name }
        parts[0] = Self.currentLanguages[language] ?? language
        // Java writes the script last.
        if let script = parts.dropFirst().firstIndex(where: { $0.count == 4 && $0.allSatisfy(\.isLetter) }) {
            parts.insert(parts.remove(at: script).capitalized, at: 1)
        }
        for index in parts.indices.dropFirst() where parts[index].count == 2 || Int(parts[index]) != nil {
            parts[index] = parts[index].uppercased()
        }
        return parts.joined(separator: "-")
    }

    /// Codes that the registry of language subtags replaced.
    private static let currentLanguages = [
        "in": "id", "iw": "he", "ji": "yi", "jw": "jv", "mo": "ro", "tl": "fil",
    ]

    /// Whether both consist of the same bytes. `==` also considers composed and decomposed letters equal,
    /// which PostgreSQL does not: a dictionary of names that are rows of a table must not use it.
    public func isExactly(_ other: String) -> Bool {
        var (left, right) = (self, other)
        return left.withUTF8 { left in
            right.withUTF8 { right in left.count == right.count && left.elementsEqual(right) }
        }
    }
}

extension Hasher {
    /// Adds the bytes of a name, see ``Swift/String/isExactly(_:)``.
    public mutating func combine(exactly name: String) {
        var name = name
        name.withUTF8 {
            combine(bytes: UnsafeRawBufferPointer($0))
            combine($0.count)
        }
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }
}
