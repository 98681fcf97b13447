internal import Simulation

/// A quarter of an hour of simulated traffic. Its steps may be posted in any order, registrations first, and what devices post
/// themselves last, because a device has a notification only after its sender has posted it.
struct TrafficSlice: Equatable {
    private(set) var registrations: [SimulatedRegistration] = []
    private(set) var events: [[UInt8]] = []
    /// What devices post themselves.
    private(set) var deviceEvents: [[UInt8]] = []

    static let length: Int64 = 15 * 60 * 1_000

    fileprivate mutating func add(_ action: SimulatedAction) {
        switch action {
        case .register(let registration): registrations.append(registration)
        case .event(let event) where event.isFromDevice: deviceEvents.append(event.json)
        case .event(let event): events.append(event.json)
        }
    }
}

extension SimulatedTraffic {
    /// All steps in chronological slices without empty ones.
    var slices: [TrafficSlice] {
        var slices: [TrafficSlice] = []
        var current: Int64?
        for step in steps {
            let position = (step.at - truth.windowStart) / TrafficSlice.length
            if position != current { slices.append(TrafficSlice()) }
            current = position
            slices[slices.count - 1].add(step.action)
        }
        return slices
    }

    /// The events only, one per line: the body of `application/x-ndjson`.
    var ndjson: [UInt8] { EventPost.ndjson(events[...]) }
}
