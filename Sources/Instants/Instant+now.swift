internal import Foundation

extension Instant {
    /// The time by this machine's clock. It is read at the edge of the program and passed on; rules never read it.
    public static var now: Instant {
        Instant(millisecondsSinceEpoch: Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down)))
    }
}
