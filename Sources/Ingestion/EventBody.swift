/// The items of one request body, as slices of its bytes.
public struct EventBody: Sendable {
    public let items: [ArraySlice<UInt8>]
    /// The body was one bare object, neither an array nor lines.
    public let isSingleObject: Bool

    /// Finds the items without reading them, so that one malformed item does not take its neighbours with it.
    ///
    /// - Parameters:
    ///   - isNDJSON: the content type says that every line is an item.
    ///   - limit: how many items there may be. Small bodies can claim millions; the search ends with the one too many.
    /// - Throws: ``EventBodyError`` when the body as a whole is no JSON, or holds too many items.
    public init(_ bytes: [UInt8], isNDJSON: Bool, limit: Int = .max) throws(EventBodyError) {
        if isNDJSON {
            items = try Self.lines(of: bytes, limit: limit)
            isSingleObject = false
            guard !items.isEmpty else { throw .empty }
            return
        }
        var scanner = StructureScanner(bytes, limit: limit)
        switch scanner.firstByte {
        case nil: throw .empty
        case .openBracket:
            items = try scanner.arrayElements()
            isSingleObject = false
        case .openBrace:
            items = try scanner.objects()
            isSingleObject = items.count == 1
        default: throw .notJSON
        }
    }

    private static func lines(of bytes: [UInt8], limit: Int) throws(EventBodyError) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: .newline) ?? rest.endIndex
            let line = rest[rest.startIndex..<end]
            if !line.allSatisfy(\.isWhiteSpace) { lines.append(line) }
            guard lines.count <= limit else { throw .tooMany }
            rest = rest[end...].dropFirst()
        }
        return lines
    }
}

public enum EventBodyError: Error, Equatable, Sendable {
    case empty
    case notJSON
    /// Brackets, braces or quotes that never close.
    case unfinished
    case tooMany
}

/// Follows brackets, braces and strings, and nothing else of JSON: enough to cut a body into its items.
private struct StructureScanner {
    private let bytes: [UInt8]
    private let limit: Int
    private var position = 0

    init(_ bytes: [UInt8], limit: Int) {
        self.bytes = bytes
        self.limit = limit
        skipWhiteSpace()
    }

    var firstByte: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// The elements of the one array that the body is.
    mutating func arrayElements() throws(EventBodyError) -> [ArraySlice<UInt8>] {
        position += 1
        skipWhiteSpace()
        var elements: [ArraySlice<UInt8>] = []
        guard firstByte != .closeBracket else { return try end(elements) }
        while true {
            elements.append(try element())
            guard elements.count <= limit else { throw .tooMany }
            let separator = bytes[position]
            if separator == .closeBracket { return try end(elements) }
            position += 1
            skipWhiteSpace()
        }
    }

    /// One object, or several behind each other.
    mutating func objects() throws(EventBodyError) -> [ArraySlice<UInt8>] {
        var objects: [ArraySlice<UInt8>] = []
        while firstByte != nil {
            guard firstByte == .openBrace else { throw .notJSON }
            let start = position
            try skipNested()
            objects.append(bytes[start..<position])
            guard objects.count <= limit else { throw .tooMany }
            skipWhiteSpace()
        }
        return objects
    }

    private mutating func end(_ elements: [ArraySlice<UInt8>]) throws(EventBodyError) -> [ArraySlice<UInt8>] {
        position += 1
        skipWhiteSpace()
        guard firstByte == nil else { throw .notJSON }
        return elements
    }

    /// Everything up to the comma or bracket that ends the element; stops on that byte.
    private mutating func element() throws(EventBodyError) -> ArraySlice<UInt8> {
        let start = position
        while let byte = firstByte {
            switch byte {
            case .comma, .closeBracket: return trimmed(start..<position)
            case .openBrace, .openBracket: try skipNested()
            case .quote: try skipString()
            default: position += 1
            }
        }
        throw .unfinished
    }

    private mutating func skipNested() throws(EventBodyError) {
        var depth = 0
        while let byte = firstByte {
            switch byte {
            case .quote:
                try skipString()
                continue
            case .openBrace, .openBracket: depth += 1
            case .closeBrace, .closeBracket: depth -= 1
            default: break
            }
            position += 1
            if depth == 0 { return }
        }
        throw .unfinished
    }

    private mutating func skipString() throws(EventBodyError) {
        position += 1
        while let byte = firstByte {
            position += byte == .backslash ? 2 : 1
            if byte == .quote { return }
        }
        throw .unfinished
    }

    private mutating func skipWhiteSpace() {
        while let byte = firstByte, byte.isWhiteSpace { position += 1 }
    }

    private func trimmed(_ range: Range<Int>) -> ArraySlice<UInt8> {
        var slice = bytes[range]
        while slice.last?.isWhiteSpace == true { slice.removeLast() }
        return slice
    }
}

extension UInt8 {
    fileprivate static let newline = UInt8(ascii: "\n")
    fileprivate static let quote = UInt8(ascii: "\"")
    fileprivate static let backslash = UInt8(ascii: "\\")
    fileprivate static let comma = UInt8(ascii: ",")
    fileprivate static let openBrace = UInt8(ascii: "{")
    fileprivate static let closeBrace = UInt8(ascii: "}")
    fileprivate static let openBracket = UInt8(ascii: "[")
    fileprivate static let closeBracket = UInt8(ascii: "]")

    fileprivate var isWhiteSpace: Bool {
        self == UInt8(ascii: " ") || self == .newline || self == UInt8(ascii: "\t")
            || self == UInt8(ascii: "\r")
    }
}
