internal import Basics
import Foundation

/// The end of the wait for something that can only be polled.
struct Deadline: Sendable {
    private let end: ContinuousClock.Instant

    init(seconds: Int) {
        end = .now + .seconds(seconds)
    }

    /// Sleeps for 50 ms and returns `true`; returns `false` at once if the deadline has passed.
    func pause() -> Bool {
        guard ContinuousClock.now < end else { return false }
        Thread.sleep(forTimeInterval: 0.05)
        return true
    }
}
