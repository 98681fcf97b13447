import Foundation
import Simulation
import Testing

@Suite("Determinism of the simulation")
struct DeterminismTests {
    @Test("two runs of the same settings are equal, byte for byte, and so is their truth")
    func sameSettings() {
        #expect(SimulationSample.small(seed: 5) == SimulationSample.small(seed: 5))
    }

    @Test("another seed makes other traffic")
    func anotherSeed() {
        #expect(SimulationSample.small(seed: 5).steps != SimulationSample.small(seed: 6).steps)
    }

    @Test("traffic of another day shares no token and no device with this one")
    func anotherDay() {
        let today = SimulationSample.small(seed: 5).registrations.map(\.deviceID)
        let later = SimulationSettings(
            seed: 5, start: SimulationSample.start + 86_400_000, installations: 400)
        let tomorrow = TrafficSimulation.generate(later).registrations.map(\.deviceID)
        #expect(Set(today).isDisjoint(with: tomorrow))
    }

    @Test("steps are ascending, begin with the window and end at the horizon")
    func stepsAreAscending() throws {
        let steps = SimulationSample.usual.steps
        #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.at <= $1.at })
        #expect(try #require(steps.first).at >= SimulationSample.start)
        #expect(try #require(steps.last).at <= SimulationSample.start + 72 * 3_600_000)
    }

    @Test("without late hours nothing is posted after the window")
    func noLateEvents() throws {
        let traffic = SimulationSample.small(seed: 3, lateEventHours: 0)
        #expect(try #require(traffic.steps.last).at <= traffic.truth.windowEnd)
    }

    @Test("the truth survives JSON, with the ids of the metrics as names")
    func truthAsJSON() throws {
        let truth = SimulationSample.usual.truth
        let json = try JSONEncoder().encode(truth)
        #expect(try JSONDecoder().decode(SimulatedTruth.self, from: json) == truth)
        let text = String(decoding: json, as: UTF8.self)
        #expect(text.contains("\"confirmed_unreported\":"))
        #expect(text.contains("\"token_dead\":"))
        #expect(text.contains("\"late_410_ignored\":"))
    }
}
