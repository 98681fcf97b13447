public import Foundation
internal import SeededRandom

/// One registration: `PUT /v1/devices/{device_id}`.
public struct SimulatedRegistration: Sendable, Equatable {
    /// The installation's id, for the path.
    public let deviceID: UUID
    /// The JSON body as it is posted, with `registered_at` in Unix milliseconds.
    public let body: [UInt8]
}

/// One item for `POST /v1/events`.
public struct SimulatedEvent: Sendable, Equatable {
    /// One JSON object on one line, without a newline.
    public let json: [UInt8]
    /// Whether a device posts it, with the app's device key.
    public let isFromDevice: Bool
}

/// A request to the server.
public enum SimulatedAction: Sendable, Equatable {
    case register(SimulatedRegistration)
    case event(SimulatedEvent)
}

/// An action and its instant.
public struct SimulatedStep: Sendable, Equatable {
    /// The instant at which the action reaches the server, Unix milliseconds.
    public let at: Int64
    public let action: SimulatedAction
}

/// Simulated traffic of a push team, and the truth about it.
///
/// A caller may cut the traffic into slices of a quarter of an hour, post the registrations of a slice concurrently, and then its
/// events in any order: no device and no token is registered twice in one slice, and no registration shares a slice with a
/// provider's response about the same token.
public struct SimulatedTraffic: Sendable, Equatable {
    /// Everything to post, ascending by instant.
    public let steps: [SimulatedStep]
    /// The numbers that reports must show once every step is posted.
    public let truth: SimulatedTruth
    /// The requests of an attacker, to post meanwhile. The truth does not contain them.
    public var attack: [ForgedRequest] = []

    /// The events alone, in the order of the steps.
    public var events: [[UInt8]] {
        steps.compactMap { step in
            guard case .event(let event) = step.action else { return nil }
            return event.json
        }
    }

    /// The registrations alone, in the order of the steps.
    public var registrations: [SimulatedRegistration] {
        steps.compactMap { step in
            guard case .register(let registration) = step.action else { return nil }
            return registration
        }
    }

    /// The events in an order unrelated to time: no count may depend on the order.
    public func shuffledEvents(seed: UInt64) -> [[UInt8]] {
        var random = SeededRandom(seed: seed, stream: 0)
        var shuffled = events
        for last in shuffled.indices.dropFirst().reversed() {
            shuffled.swapAt(last, random.below(last + 1))
        }
        return shuffled
    }
}
