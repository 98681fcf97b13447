/// The items of one request body, as slices of its bytes.
public struct EventBody: Sendable {
    public let items: [ArraySlice<UInt8>]
    /// Whether the body was one bare object, neither an array nor lines.
    public let isSingleObject: Bool

    /// Finds the items without reading them, so that one malformed item does not invalidate its neighbors.
    ///
    /// - Parameters:
    ///   - isNDJSON: whether the content type says that every line is an item.
    ///   - limit: the most items allowed. A small body can contain millions; the search ends at the first item too many.
    /// - Throws: ``EventBodyError`` if the body as a whole is not JSON, or has too many items.
    public init(_ bytes: [UInt8], isNDJSON: Bool, limit: Int = .max) throws(EventBodyError) {
        let (ranges, isBareObject) = try bytes.withUnsafeBufferPointer { buffer throws(EventBodyError) in
            var cutter = BodyCutter(UnsafeRawBufferPointer(buffer), limit: limit)
            let firstByte = cutter.firstByte()
            switch firstByte {
            case nil: throw .empty
            case _ where isNDJSON: try cutter.cutLines()
            case .openBracket: try cutter.cutArray()
            case .openBrace: try cutter.cutObjects()
            default: throw .notJSON
            }
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
