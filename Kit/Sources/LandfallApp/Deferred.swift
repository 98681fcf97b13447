internal import LandfallCore

/// A value that is made later. What is asked of it before is kept, and done in order as soon as it is there.
public final class Deferred<Value: Sendable>: Sendable {
    private enum State {
        case waiting([@Sendable (Value) -> Void])
        case ready(Value)
    }

    private let state = Locked(State.waiting([]))
    private static var mostWaiting: Int { 1_000 }

    public init() {}

    public var value: Value? {
        state.use { state in
            if case .ready(let value) = state { value } else { nil }
        }
    }

    /// - Returns: `false` if there was a value before, which stays.
    @discardableResult
    public func set(_ value: Value) -> Bool {
        let waiting: [@Sendable (Value) -> Void]? = state.use { state in
            guard case .waiting(let waiting) = state else { return nil }
            state = .ready(value)
            return waiting
        }
        for call in waiting ?? [] { call(value) }
        return waiting != nil
    }

    public func use(_ call: @escaping @Sendable (Value) -> Void) {
        let value: Value? = state.use { state in
            switch state {
            case .ready(let value): return value
            case .waiting(let waiting):
                state = .waiting((waiting + [call]).suffix(Self.mostWaiting))
                return nil
            }
        }
        if let value { call(value) }
    }
}
