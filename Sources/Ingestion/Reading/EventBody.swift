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
    /// Brackets, braces or quotes that never close.
    case unfinished
    case tooMany
}
