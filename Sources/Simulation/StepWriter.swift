internal import Basics

/// Turns one phone's planned day into the steps that reach the server.
struct StepWriter {
    let text: EventText
    let horizon: Int64
    var random: SeededRandom
    private(set) var steps: [SimulatedStep] = []
    private(set) var repeatedEvents = 0

    mutating func writeRegistrations() {
        for registration in text.phone.registrations {
            let body = text.registration(registration, &random)
            let device = text.phone.installations[registration.installation]
            append(
                .register(
                    SimulatedRegistration(deviceID: device, body: Array(JSONValue.object(body).lineText.utf8))
                ), at: registration.at)
        }
    }

    mutating func write(_ notification: PlannedNotification) {
        for response in notification.responses {
            let event = text.response(response, to: notification, &random)
            post(event, at: response.postedAt, repeatedWithin: PlannedResponses.longestRepeat)
        }
        for sighting in notification.sightings {
            let event = text.sighting(sighting, of: notification, &random)
            post(event, at: sighting.postedAt, repeatedWithin: .hours(2))
        }
        if let recalledAt = notification.recalledAt {
            post(
                text.recall(of: notification, at: recalledAt, &random), at: recalledAt,
                repeatedWithin: .minutes(5))
        }
    }

    /// Posts an event, and sometimes posts it again: byte for byte, or as another library would write it.
    private mutating func post(
        _ event: [JSONValue.Member], at instant: Int64, repeatedWithin longest: Int64
    ) {
        func written(_ event: [JSONValue.Member]) -> SimulatedAction {
            .event(Array(JSONValue.object(event).lineText.utf8))
        }
        append(written(event), at: instant)
        guard random.chance(0.03) else { return }
        let again = random.chance(0.5) ? event : event.reversed()
        let repeatedAt = instant + random.span(.seconds(1), longest)
        guard repeatedAt <= horizon else { return }
        append(written(again), at: repeatedAt)
        repeatedEvents += 1
    }

    private mutating func append(_ action: SimulatedAction, at instant: Int64) {
        steps.append(SimulatedStep(at: instant, action: action))
    }
}
