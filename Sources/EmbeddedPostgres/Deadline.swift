import Foundation
internal import Instants

/// The end of one's patience with something that can only be polled.
struct Deadline: Sendable {
    private let end: ContinuousClock.Instant

    init(seconds: Int) {
        end = .now + .seconds(seconds)
    }

    /// Sleeps a moment and answers whether there is time for another look.
    func pause() -> Bool {
        guard ContinuousClock.now < end else { return false }
        Thread.sleep(forTimeInterval: 0.05)
        return true
    }
}
