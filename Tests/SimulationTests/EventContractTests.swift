import Foundation
import Simulation
import Testing

@Suite("The contract of simulated events and registrations")
struct EventContractTests {
    private let events = SimulationSample.usualEvents
    private let responses = SimulationSample.usualEvents.filter { $0.type == "response" }
    private let sightings = SimulationSample.usualEvents.filter {
        ["arrival", "presentation", "click", "dismissal"].contains($0.type)
    }

    @Test("every line is one JSON object without a newline")
    func lines() {
        let lines = SimulationSample.usual.events
        #expect(events.count == lines.count)
        #expect(!lines.contains { $0.contains(UInt8(ascii: "\n")) })
    }

    @Test("every event has a known type and a version 4 or 7 UUID")
    func identity() {
        let types: Set = ["response", "arrival", "presentation", "click", "dismissal", "recall"]
        #expect(Set(events.map(\.type)) == types)
        for event in events {
            #expect(UUID(uuidString: event.id) != nil)
            #expect(event.isVersionSeven || event.id.dropFirst(14).first == "4")
        }
    }

    @Test("the id states when a notification was sent, or every one of its events does, and they agree")
    func sendInstants() {
        let window = SimulationSample.usual.truth.windowStart..<SimulationSample.usual.truth.windowEnd
        var known: [String: Int64] = [:]
        for event in events {
            guard let sentAt = event.sentAt else {
                Issue.record("no send instant in \(event.fields)")
                continue
            }
            #expect(window.contains(sentAt))
            #expect(known.updateValue(sentAt, forKey: event.id) ?? sentAt == sentAt)
        }
    }

    @Test("responses carry provider, status, token and topic, and a timestamp exactly with 410")
    func responseFields() {
        for response in responses {
            #expect(response.text("provider") == "apns")
            #expect(response.status >= 0)
            #expect(response.token.count == 64 && response.token.allSatisfy(\.isHexDigit))
            #expect(response.text("topic") == "com.example.shop")
            #expect((response.number("timestamp") != nil) == (response.status == 410))
            if let rejectedAt = response.instant("timestamp"), let sentAt = response.sentAt {
                #expect(rejectedAt <= sentAt)
            }
        }
    }

    @Test("responses name their sender, mostly an expiry, and for few alerts that they woke the app")
    func responseFacts() {
        #expect(Set(responses.map { $0.text("sender") }) == ["checkout", "marketing"])
        for response in responses {
            guard let sentAt = response.sentAt, let expiresAt = response.instant("expires_at") else {
                #expect(response.fields["push_type"] == nil)
                continue
            }
            #expect(expiresAt == sentAt + 24 * 3_600_000)
        }
        let waking = responses.filter { $0.number("content_available") == 1 }
        let background = responses.filter { $0.text("push_type") == "background" }
        #expect(background.allSatisfy { $0.number("content_available") == 1 })
        let alerts = waking.count - background.count
        #expect(alerts > 0 && alerts * 20 < responses.count - background.count)
    }

    @Test("device events carry instants in both notations")
    func sightingFields() {
        for sighting in sightings {
            #expect(sighting.instant("occurred_at") != nil)
            #expect(sighting.instant("reported_at") != nil)
            #expect(sighting.text("app_version") != nil)
        }
        let texts = sightings.compactMap { $0.text("occurred_at") }
        #expect(texts.contains { $0.hasSuffix("Z") })
        #expect(texts.contains { $0.hasSuffix("+02:00") })
        #expect(sightings.contains { $0.number("occurred_at") != nil })
    }

    @Test("the variations of real clients occur: spellings, defaults, device ids left out")
    func liberties() {
        #expect(responses.contains { $0.text("token") != $0.token })
        #expect(responses.contains { $0.fields["push_type"] == nil })
        #expect(responses.contains { $0.text("variant") == "A" })
        #expect(responses.contains { $0.text("variant") == "B" })
        #expect(responses.contains { $0.text("campaign") == nil })
        #expect(responses.contains { $0.text("collapse_id") == "digest" })
        #expect(sightings.contains { $0.text("device_id") == nil })
        #expect(
            Set(sightings.compactMap { $0.text("app_state") }) == ["foreground", "background", "terminated"])
        #expect(sightings.contains { $0.type == "click" && $0.text("action") != nil })
    }

    @Test("repetitions are byte-identical, or the same content in another order")
    func repetitions() {
        let lines = SimulationSample.usual.events
        let contents = events.map(\.fields)
        #expect(Set(lines).count < lines.count)
        #expect(Set(contents).count < Set(lines).count)
    }

    @Test("a notification has at most one class of rejection")
    func oneClassOfRejection() {
        var classes: [String: Set<SimulatedRejectionClass>] = [:]
        for response in responses {
            guard let rejection = Recount.rejection(response) else { continue }
            classes[response.id, default: []].insert(rejection)
        }
        #expect(classes.values.allSatisfy { $0.count == 1 })
        let accepted = Set(responses.filter(\.isAccepted).map(\.id))
        let retried = classes.filter { accepted.contains($0.key) }.values.reduce(into: Set()) {
            $0.formUnion($1)
        }
        #expect(retried == [.throttled, .providerError])
    }

    @Test("registrations carry what the contract requires, and their instant")
    func registrationBodies() throws {
        for step in SimulationSample.usual.steps {
            guard case .register(let registration) = step.action else { continue }
            let body = try #require(PostedEvent(registration.body))
            #expect(body.text("platform") == "ios")
            #expect(body.instant("registered_at") == step.at)
            for name in ["permission", "app_version", "os_version", "language", "time_zone", "model"] {
                #expect(body.text(name) != nil)
            }
            #expect(body.fields["tokens"] == .list)
            #expect(body.tokens.count <= 1)
            #expect(body.tokens.allSatisfy { Set($0.keys) == ["value", "kind", "environment", "topic"] })
        }
    }
}
