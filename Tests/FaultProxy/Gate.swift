internal import Foundation

/// Lets threads pass while it is open.
///
/// Unchecked, and safe: `isOpen` is only accessed under the condition's lock.
final class Gate: @unchecked Sendable {
    private let condition = NSCondition()
    private var isOpen = true

    func pass() {
        condition.lock()
        defer { condition.unlock() }
        while !isOpen { condition.wait() }
    }

    func open() { set(true) }
    func close() { set(false) }

    private func set(_ isOpen: Bool) {
        condition.lock()
        defer { condition.unlock() }
        self.isOpen = isOpen
        condition.broadcast()
    }
}
