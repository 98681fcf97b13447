import Foundation
import Simulation
import Testing
import Trust

@Suite("Scenarios in which devices post themselves")
struct TrustScenarioTests {
    private func traffic(_ scenario: TrafficScenario, receiptKeys: [String] = []) -> SimulatedTraffic {
        var settings = SimulationSettings(
            start: SimulationSample.start, hours: 30, installations: 150, scenario: scenario)
        settings.receiptKeys = receiptKeys
        return TrafficSimulation.generate(settings)
    }

    @Test("exactly the device events are the devices' own, and none in other scenarios")
    func posters() {
        for scenario in TrafficScenario.allCases {
            for step in traffic(scenario).steps {
                guard case .event(let event) = step.action else { continue }
                let type = PostedEvent(event.json)?.type ?? ""
                let isDeviceEvent = !["response", "recall"].contains(type)
                #expect(event.isFromDevice == (scenario.postsFromDevices && isDeviceEvent))
            }
        }
    }

    @Test("behind a carrier, most arrivals of a campaign come within seconds")
    func carrier() {
        let events = SimulationSample.decoded(traffic(.carrier).events)
        let campaigns = Dictionary(
            grouping: events.filter { $0.type == "response" }, by: { $0.text("campaign") ?? "" })
        #expect(campaigns.count > 3)
        for (name, responses) in campaigns where !name.isEmpty {
            let sentAt = responses.compactMap(\.sentAt)
            #expect((sentAt.max() ?? 0) - (sentAt.min() ?? 0) < 10_000, "\(name)")
        }
    }

    @Test(
        "an attacker's requests are the same every time, no part of the traffic, and within a device's limits"
    )
    func attack() {
        let (stolen, healthy) = (traffic(.stolenKey), traffic(.healthy))
        #expect(stolen.truth == healthy.truth)
        #expect(stolen.events == healthy.events)
        #expect(stolen == traffic(.stolenKey))
        #expect(healthy.attack.isEmpty)
        #expect(Set(stolen.attack.map(\.kind)) == Set(ForgedRequest.Kind.allCases))
        #expect(stolen.attack.allSatisfy { $0.itemCount <= 100 && $0.body.count <= 256 << 10 })
        #expect(stolen.attack.allSatisfy { ($0.kind == .registrations) == ($0.deviceID != nil) })
        let real = Set(SimulationSample.decoded(stolen.events).map(\.id))
        for request in stolen.attack where request.kind == .clicks {
            let lines = request.body.split(separator: UInt8(ascii: "\n"))
            #expect(lines.count == request.itemCount)
            #expect(!lines.contains { real.contains(PostedEvent(Array($0))?.id ?? "") })
        }
    }

    @Test("the sender signs with the first key, and from the middle of the window on with the second")
    func receipts() throws {
        let keys = (0..<2).map { _ in SigningKey.randomText(.receipt) }
        let traffic = traffic(.receiptRotation, receiptKeys: keys)
        let middle = (traffic.truth.windowStart + traffic.truth.windowEnd) / 2
        var signed = [0, 0]
        for event in SimulationSample.decoded(traffic.events) {
            guard let text = event.text("receipt") else {
                #expect(["response", "recall"].contains(event.type))
                continue
            }
            let (id, sentAt) = (try #require(UUID(uuidString: event.id)), try #require(event.sentAt))
            let position = sentAt < middle ? 0 : 1
            #expect(Receipt(text)?.isValid(for: id, keys: [SigningKey(keys[position])]) == true)
            signed[position] += 1
        }
        #expect(signed.allSatisfy { $0 > 50 })
    }
}
