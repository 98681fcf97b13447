internal import Basics
internal import Foundation

/// The key of one notification's row, in PostgreSQL's sort order.
struct DeliveryKey: Hashable, Comparable, Sendable {
    /// The id's first and last 64 bits, which sort fast: batches have thousands of keys.
    private let high: UInt64
    private let low: UInt64
    let appID: Int64
    let sentAt: Instant

    init(notificationID: UUID, appID: Int64, sentAt: Instant) {
        (high, low) = withUnsafeBytes(of: notificationID.uuid) { bytes in
            (
                UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
        (self.appID, self.sentAt) = (appID, sentAt)
    }

    var notificationID: UUID {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    static func < (left: DeliveryKey, right: DeliveryKey) -> Bool {
        if left.high != right.high { return left.high < right.high }
        if left.low != right.low { return left.low < right.low }
        if left.appID != right.appID { return left.appID < right.appID }
        return left.sentAt < right.sentAt
    }
}
