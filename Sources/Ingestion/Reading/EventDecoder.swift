public import DeliveryModel

/// Reads posted items: bytes in, valid events or reasons out.
public struct EventDecoder: Sendable {
    private let validator: EventValidator

    public init(_ validator: EventValidator) {
        self.validator = validator
    }

    /// More bytes than any event needs. A longer item is not even read.
    static let longestItem = 64 << 10

    /// - Parameter item: any bytes; if valid, one JSON object in UTF-8.
    public func decode(_ item: ArraySlice<UInt8>) -> Result<Event, ItemRejection> {
        guard item.count <= Self.longestItem else {
            return .failure(ItemRejection(.tooLong, "an item may have at most \(Self.longestItem) bytes"))
        }
        return Result { () throws(ItemRejection) in
            try validator.event(from: try posted(item))
        }
    }

    private func posted(_ item: ArraySlice<UInt8>) throws(ItemRejection) -> PostedEvent {
        try item.withUnsafeBufferPointer { bytes throws(ItemRejection) in
            try PostedEventReader.read(UnsafeRawBufferPointer(bytes))
        }
    }
}
