public import Foundation

/// One registration: `PUT /v1/devices/{device_id}`.
public struct SimulatedRegistration: Sendable, Equatable {
    /// The installation's id, for the path.
    public let deviceID: UUID
    /// The JSON body as it is posted, with `registered_at` in Unix milliseconds.
    public let body: [UInt8]
}

/// A request to the server.
public enum SimulatedAction: Sendable, Equatable {
    case register(SimulatedRegistration)
    /// One item for `POST /v1/events`: a JSON object on one line, without a newline.
    case event([UInt8])
}

/// An action and its instant.
public struct SimulatedStep: Sendable, Equatable {
    /// The instant at which the action reaches the server, Unix milliseconds.
    public let at: Int64
    public let action: SimulatedAction
}

/// Simulated traffic of a push team, and the truth about it.
///
/// A caller may post the registrations of a quarter of an hour concurrently, and then its events in any order
/// (``slices``): no device and no token is registered twice in one slice, and no registration shares a slice
/// with a provider's response about the same token.
public struct SimulatedTraffic: Sendable, Equatable {
    /// Everything to post, ascending by instant.
    public let steps: [SimulatedStep]
    /// The numbers that reports must show once every step is posted.
    public let truth: SimulatedTruth

    /// The events alone, in the order of the steps.
    public var events: [[UInt8]] {
        steps.compactMap { step in
            guard case .event(let event) = step.action else { return nil }
            return event
        }
    }

    /// The registrations alone, in the order of the steps.
    public var registrations: [SimulatedRegistration] {
        steps.compactMap { step in
            guard case .register(let registration) = step.action else { return nil }
            return registration
        }
    }

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

/// A quarter of an hour of simulated traffic. Registrations may be posted in any order, then events.
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
