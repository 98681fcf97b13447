/// The items of one request body, as slices of its bytes.
public struct EventBody: Sendable {
    public let items: [ArraySlice<UInt8>]
    /// Whether the body was one bare object, neither an array nor lines.
    public let isSingleObject: Bool

    /// Finds at most `limit` items without reading them, so that one malformed item does not invalidate its
    /// neighbors. A small body can contain millions; the search ends at the first item too many.
    ///
    /// The body decides whether every line is an item, because HTTP clients often set a wrong content type
    /// (`isNDJSON`). The content type matters only if the body is damaged.
    public init(_ bytes: [UInt8], isNDJSON: Bool, limit: Int = .max) throws(EventBodyError) {
        let (ranges, isBareObject) = try bytes.withUnsafeBufferPointer { buffer throws(EventBodyError) in
            var cutter = BodyCutter(UnsafeRawBufferPointer(buffer), limit: limit)
            guard let firstByte = cutter.firstByte() else { throw .empty }
            try cutter.cut(firstByte, isNDJSON: isNDJSON)
            return (cutter.items, !isNDJSON && firstByte == .openBrace && cutter.items.count == 1)
        }
        items = ranges.map { bytes[$0] }
        isSingleObject = isBareObject
    }
}

public enum EventBodyError: Error, Equatable, Sendable {
    case empty
    case notJSON
    /// A bracket, brace or quote is never closed.
    case unfinished
    case tooMany
}

/// Cuts a body into its items. It follows brackets, braces and strings, and no other JSON syntax.
struct BodyCutter {
    private var cursor: ByteCursor
    private let limit: Int
    /// The byte ranges of the items found so far.
    private(set) var items: [Range<Int>] = []

    /// Skips a byte order mark at the start of the body, and only there.
    init(_ bytes: UnsafeRawBufferPointer, limit: Int) {
        cursor = ByteCursor(bytes)
        self.limit = limit
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { cursor.advance(by: 3) }
    }

    mutating func firstByte() -> UInt8? {
        cursor.skipWhiteSpace()
        return cursor.isAtEnd ? nil : cursor.current
    }

    /// Every item of the body, whose first byte was read.
    mutating func cut(_ firstByte: UInt8, isNDJSON: Bool) throws(EventBodyError) {
        let start = self
        if isNDJSON, firstByte == .openBrace, start.linesAreObjects { return try cutLines() }
        do throws(EventBodyError) {
            switch firstByte {
            case .openBracket: try cutArray()
            case .openBrace: try cutObjects()
            default: throw .notJSON
            }
        } catch {
            let isDamaged = error == .notJSON || error == .unfinished
            guard isDamaged,
                isNDJSON || (firstByte == .openBrace && start.hasSeveralLines && start.linesAreObjects)
            else {
                throw error
            }
            self = start
            try cutLines()
        }
    }

    /// Whether every line that is not blank begins as an object does.
    private var linesAreObjects: Bool {
        var rest = cursor
        while !rest.isAtEnd {
            rest.skipWhiteSpace()
            guard rest.isAtEnd || rest.current == .openBrace else { return false }
            rest.skipLine()
        }
        return true
    }

    private var hasSeveralLines: Bool {
        var rest = cursor
        rest.skipLine()
        rest.skipWhiteSpace()
        return !rest.isAtEnd
    }

    mutating func cutLines() throws(EventBodyError) {
        while !cursor.isAtEnd {
            let start = cursor.position
            cursor.skipLine()
            if !cursor.passed(since: start).allSatisfy(\.isWhiteSpace) { try add(start..<cursor.position) }
            cursor.advance()
        }
    }

    /// The elements of the array that is the whole body.
    mutating func cutArray() throws(EventBodyError) {
        cursor.advance()
        cursor.skipWhiteSpace()
        if !cursor.take(.closeBracket) {
            repeat {
                cursor.skipWhiteSpace()
                try cutElement()
            } while cursor.take(.comma)
            // An element ends at a comma, or at the bracket that is passed here.
            cursor.advance()
        }
        cursor.skipWhiteSpace()
        guard cursor.isAtEnd else { throw .notJSON }
    }

    mutating func cutObjects() throws(EventBodyError) {
        while !cursor.isAtEnd {
            guard cursor.current == .openBrace else { throw .notJSON }
            let start = cursor.position
            try skipNested()
            try add(start..<cursor.position)
            cursor.skipWhiteSpace()
        }
    }

    private mutating func add(_ item: Range<Int>) throws(EventBodyError) {
        items.append(item)
        guard items.count <= limit else { throw .tooMany }
    }

    /// Everything up to the comma or bracket that ends the element; stops at that byte.
    private mutating func cutElement() throws(EventBodyError) {
        let start = cursor.position
        while !cursor.isAtEnd {
            switch cursor.current {
            case .comma, .closeBracket:
                let trailing = cursor.passed(since: start).reversed().prefix(while: \.isWhiteSpace).count
                return try add(start..<cursor.position - trailing)
            case .openBrace, .openBracket: try skipNested()
            case .quote: try skipString()
            default: cursor.advance()
            }
        }
        throw .unfinished
    }

    private mutating func skipNested() throws(EventBodyError) {
        var depth = 0
        while !cursor.isAtEnd {
            switch cursor.current {
            case .quote:
                try skipString()
                continue
            case .openBrace, .openBracket: depth += 1
            case .closeBrace, .closeBracket: depth -= 1
            default: break
            }
            cursor.advance()
            if depth == 0 { return }
        }
        throw .unfinished
    }

    private mutating func skipString() throws(EventBodyError) {
        cursor.advance()
        while true {
            cursor.skipPlainText()
            guard !cursor.isAtEnd else { throw .unfinished }
            switch cursor.current {
            case .quote: return cursor.advance()
            case .backslash: cursor.advance(by: 2)
            default: cursor.advance()
            }
        }
    }
}
