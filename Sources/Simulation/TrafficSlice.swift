/// A quarter of an hour of simulated traffic. Its registrations may be posted in any order, and then its events.
public struct TrafficSlice: Sendable {
    public private(set) var registrations: [SimulatedRegistration] = []
    public private(set) var events: [[UInt8]] = []

    fileprivate mutating func add(_ action: SimulatedAction) {
        switch action {
        case .register(let registration): registrations.append(registration)
        case .event(let event): events.append(event)
        }
    }
}

extension SimulatedTraffic {
    /// All steps in chronological slices without empty ones.
    public var slices: [TrafficSlice] {
        var slices: [TrafficSlice] = []
        var current: Int64?
        for step in steps {
            let position = (step.at - truth.windowStart) / Int64.slice
            if position != current { slices.append(TrafficSlice()) }
            current = position
            slices[slices.count - 1].add(step.action)
        }
        return slices
    }
}
