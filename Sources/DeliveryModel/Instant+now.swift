internal import Foundation

extension Instant {
    /// What this machine's clock shows. Read once, at the edge of the program, and passed on: rules never ask.
    public static var now: Instant {
        Instant(millisecondsSinceEpoch: Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down)))
    }
}
