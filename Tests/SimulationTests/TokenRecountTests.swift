import Basics
import Foundation
import Simulation
import Testing

@Suite("A slice of a quarter hour, posted in any order")
struct TokenRecountTests {
    private static let quarter: Int64 = 900_000

    @Test(
        "tokens and installations end as the truth says, wherever slices begin and however they are shuffled",
        arguments: [0, 1, 250_000, 600_000] as [Int64])
    func anyOrderWithinASlice(offset: Int64) {
        let truth = SimulationSample.usual.truth
        let ledger = Self.ledger(of: SimulationSample.usual, sliceOffset: offset, seed: UInt64(offset))
        for (states, isRegistered) in [(truth.tokens.registered, true), (truth.tokens.unregistered, false)] {
            let recounted = ledger.states(registered: isRegistered)
            #expect(recounted["active", default: 0] == states.active)
            #expect(recounted["suspect", default: 0] == states.suspect)
            #expect(recounted["retired", default: 0] == states.retired)
        }
        #expect(ledger.rules == truth.tokens.transitions)
        #expect(ledger.registeredInstallations == truth.installations.registered)
        #expect(ledger.audience == truth.installations.audience)
        let notifications = Recount(SimulationSample.usualEvents).notifications
        let confirmed = notifications.filter { $0.value.isAccepted && $0.value.wasSeen }
        #expect(ledger.targets(of: notifications.keys) == truth.installations.targeted)
        #expect(ledger.targets(of: confirmed.keys) == truth.installations.reached)
        #expect(ledger.targets(of: confirmed.filter(\.value.wasClicked).keys) == truth.installations.engaged)
    }

    @Test("no device and no token is registered twice in one slice", arguments: [0, 400_000] as [Int64])
    func registrationsAreApart(offset: Int64) throws {
        var seen: Set<String> = []
        for step in SimulationSample.usual.steps {
            guard case .register(let registration) = step.action else { continue }
            let slice = (step.at - offset) / Self.quarter
            let body = try #require(PostedEvent(registration.body))
            let values = body.tokens.compactMap { $0["value"] }
            for name in values.map({ $0.lowercased() }) + [registration.deviceID.uuidString] {
                #expect(seen.insert("\(slice) \(name)").inserted)
            }
        }
    }

    @Test("device events name the installation that owned the token when the response was posted")
    func sightingsNameTheOwner() {
        var ledger = PostedLedger()
        var devices: [String: String] = [:]
        for step in SimulationSample.usual.steps {
            switch step.action {
            case .register(let registration): ledger.register(registration)
            case .event(let event):
                guard let event = PostedEvent(event) else { continue }
                ledger.record(event)
                if let device = event.text("device_id") { devices[event.id] = device }
            }
        }
        let owned = devices.filter { ledger.target(of: $0.key) != nil }
        #expect(!owned.isEmpty)
        #expect(owned.allSatisfy { ledger.target(of: $0.key) == $0.value })
    }

    /// Posts slice by slice: registrations first, then events, both shuffled.
    private static func ledger(of traffic: SimulatedTraffic, sliceOffset: Int64, seed: UInt64) -> PostedLedger
    {
        var ledger = PostedLedger()
        var order = SeededRandom(seed: seed)
        let slices = Dictionary(grouping: traffic.steps) { ($0.at - sliceOffset) / quarter }
        for slice in slices.sorted(by: { $0.key < $1.key }) {
            let steps = slice.value.shuffled(using: &order)
            for case .register(let registration) in steps.map(\.action) { ledger.register(registration) }
            for case .event(let event) in steps.map(\.action) {
                if let event = PostedEvent(event) { ledger.record(event) }
            }
        }
        return ledger
    }
}
