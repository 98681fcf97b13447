/// A request that is sent again and again with new notifications: the last twelve digits of their ids change.
///
/// The ready-made requests of a whole overload would not fit in memory alongside the server.
struct StampedRequest: Sendable {
    let eventCount: Int
    private let bytes: [UInt8]
    /// The positions of the digits in the bytes.
    private let stamps: [Int]

    private static let field = #""notification_id":""#
    private static let digits = Array("0123456789abcdef".utf8)
    private static let stampLength = 12
    private static let stampOffset = 36 - stampLength

    /// - Parameter body: an array of events, each with a notification id in the canonical form.
    init(_ body: PostedBody, key: String) {
        let request = RequestFile.request(body, key: key)
        var stamps: [Int] = []
        var place = 0
        while let found = request.position(of: Self.field, from: place) {
            stamps.append(found + Self.field.utf8.count + Self.stampOffset)
            place = found + 1
        }
        self.stamps = stamps
        eventCount = body.eventCount
        bytes = request
    }

    /// Writes the request into the buffer. The same number gives the same notifications, another number gives others.
    func write(number: UInt64, to buffer: inout [UInt8]) {
        buffer.removeAll(keepingCapacity: true)
        buffer.append(contentsOf: bytes)
        let stamp = (0..<Self.stampLength).map { place in
            Self.digits[Int(number >> UInt64(4 * (Self.stampLength - 1 - place)) & 15)]
        }
        for start in stamps {
            buffer.replaceSubrange(start..<start + Self.stampLength, with: stamp)
        }
    }
}
