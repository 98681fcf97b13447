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

/// A continuation that several events may resume; the first one does.
final class Once<Value: Sendable>: Sendable {
    private let waiting = Locked<CheckedContinuation<Value, Never>?>(nil)

    var continuation: CheckedContinuation<Value, Never>? {
        get { waiting.use { $0 } }
        set { waiting.use { $0 = newValue } }
    }

    func resume(_ value: Value) {
        let continuation = waiting.use { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume(returning: value)
    }
}
