/// The items of one request body, as slices of its bytes.
public struct EventBody: Sendable {
    public let items: [ArraySlice<UInt8>]
    /// The body was one bare object, neither an array nor lines.
    public let isSingleObject: Bool

    /// Finds the items without reading them, so that one malformed item does not take its neighbours with it.
    ///
    /// - Parameter isNDJSON: the content type says that every line is an item.
    /// - Throws: ``EventBodyError`` when the body as a whole is no JSON.
    public init(_ bytes: [UInt8], isNDJSON: Bool) throws(EventBodyError) {
        if isNDJSON {
            items = bytes.split(separator: .newline).filter { !$0.allSatisfy(\.isWhiteSpace) }
            isSingleObject = false
            guard !items.isEmpty else { throw .empty }
            return
        }
        var scanner = StructureScanner(bytes)
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
}

public enum EventBodyError: Error, Equatable, Sendable {
    case empty
    case notJSON
    /// Brackets, braces or quotes that never close.
    case unfinished
}

/// Follows brackets, braces and strings, and nothing else of JSON: enough to cut a body into its items.
private struct StructureScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
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
