import Foundation

/// Keeps threads busy until a test lifts it.
///
/// Unchecked, and safe: the condition guards the rest.
final class Blockade: @unchecked Sendable {
    private let condition = NSCondition()
    private var waiting = 0
    private var isLifted = false

    /// Blocks the thread.
    func pass() {
        condition.withLock {
            waiting += 1
            while !isLifted { condition.wait() }
        }
    }

    /// Waits until this many threads are blocked.
    func isFull(of count: Int) async {
        while condition.withLock({ waiting }) < count { try? await Task.sleep(for: .milliseconds(5)) }
    }

    func lift() {
        condition.withLock {
            isLifted = true
            condition.broadcast()
        }
    }
}
