internal import DeliveryModel
internal import Foundation

extension Instant {
    /// What this machine's clock shows. Commands read it once and pass it on.
    static var now: Instant {
        Instant(millisecondsSinceEpoch: Int64(Date().timeIntervalSince1970 * 1_000))
    }
}
