internal import Foundation

/// A value that one thread at a time uses. `Mutex` needs iOS 18.
///
/// It is `Sendable` because the value is only reached while the lock is held.
public final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    public init(_ value: sending Value) {
        self.value = value
    }

    public func use<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
