internal import LandfallCore

/// A value that is made later. What is asked of it before is kept, and done in order as soon as it is there.
public final class Deferred<Value: Sendable>: Sendable {
    public typealias Call = @Sendable (Value) -> Void

    private enum State {
        case waiting([Call])
        /// Calls that waited are being done; later ones wait for their turn.
        case catchingUp(Value, [Call])
        case ready(Value)
    }

    private let state = Locked(State.waiting([]))
    private static var mostWaiting: Int { 1_000 }

    public init() {}

    public var value: Value? {
        state.use { state in
            switch state {
            case .waiting: nil
            case .catchingUp(let value, _), .ready(let value): value
            }
        }
    }

    /// - Returns: `false` if there was a value before, which stays.
    @discardableResult
    public func set(_ value: Value) -> Bool {
        let isFirst = state.use { state in
            guard case .waiting(let calls) = state else { return false }
            state = .catchingUp(value, calls)
            return true
        }
        guard isFirst else { return false }
        while let calls = callsToCatchUp() {
            for call in calls { call(value) }
        }
        return true
    }

    /// Takes the calls that wait. `nil` if there are none: from then on, calls are done at once.
    private func callsToCatchUp() -> [Call]? {
        state.use { state in
            guard case .catchingUp(let value, let calls) = state else { return nil }
            state = calls.isEmpty ? .ready(value) : .catchingUp(value, [])
            return calls.isEmpty ? nil : calls
        }
    }

    public func use(_ call: @escaping Call) {
        let value: Value? = state.use { state in
            switch state {
            case .ready(let value): return value
            case .catchingUp(let value, let calls):
                state = .catchingUp(value, calls + [call])
                return nil
            case .waiting(let calls):
                state = .waiting((calls + [call]).suffix(Self.mostWaiting))
                return nil
            }
        }
        if let value { call(value) }
    }
}
