import DeliveryModel
import Instants
import SeededRandom
import Testing

@testable import landfall_bench

@Suite("Overload traffic")
struct OverloadTrafficTests {
    @Test("never repeats a notification; arrivals follow the responses about the same ones")
    func ids() throws {
        var traffic = OverloadTraffic(notifications(20), eventsPerRequest: 10, key: "key")
        let requests = (0..<8).map { _ in next(&traffic) }
        let responses = [0, 2, 4, 6].map { ids(in: requests[$0].text) }
        #expect(responses.map(\.count) == [10, 10, 10, 10])
        #expect(Set(responses.joined()).count == 40)
        for (number, responded) in responses.enumerated() {
            let arrivals = requests[2 * number + 1]
            #expect(arrivals.text.contains(#""type":"arrival""#))
            #expect(ids(in: arrivals.text).isSubset(of: responded))
            #expect(ids(in: arrivals.text).count == arrivals.events)
        }
    }

    @Test("states the true length of its body")
    func length() throws {
        var traffic = OverloadTraffic(notifications(10), eventsPerRequest: 10, key: "key")
        let request = next(&traffic).text
        let parts = request.split(separator: "\r\n\r\n", maxSplits: 1)
        let said = try #require(request.firstMatch(of: /Content-Length: (\d+)/)).1
        #expect(Int(said) == parts[1].utf8.count)
    }

    @Test("if the server is not there, every request fails and every one is counted")
    func nobodyListens() throws {
        var traffic = OverloadTraffic(notifications(10), eventsPerRequest: 10, key: "key")
        let schedule = OpenLoopSchedule(perSecond: 1_000, seconds: 0.05)
        // Port 1 of the loopback address: nothing listens there.
        let outcome = try LoadGenerator(port: 1).run(.openLoop(schedule), connections: 4, &traffic)
        #expect(outcome.sent + outcome.unsent == schedule.count)
        #expect(outcome.sent > 0)
        #expect(outcome.broken == outcome.sent)
        #expect(outcome.unknownEvents > outcome.sent)
        #expect(outcome.responded == 0)
    }

    private func notifications(_ count: Int) -> [BenchNotification] {
        var random = SeededRandom(seed: 7)
        let now = Instant(millisecondsSinceEpoch: 1_760_000_000_000)
        let devices = (0..<5).map { _ in BenchDevice(now: now, &random) }
        return BenchNotification.many(count, to: devices[...], now: now, &random)
    }

    private func next(_ traffic: inout OverloadTraffic) -> (text: String, events: Int) {
        var buffer: [UInt8] = []
        let events = traffic.write(to: &buffer)
        return (String(decoding: buffer, as: UTF8.self), events)
    }

    private func ids(in request: String) -> Set<String> {
        Set(request.matches(of: /"notification_id":"([0-9a-f-]{36})"/).map { String($0.1) })
    }
}
