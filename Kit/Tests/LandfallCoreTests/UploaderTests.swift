import Foundation
import Testing

@testable import LandfallApp
@testable import LandfallCore

@Suite struct UploaderTests {
    private let folder: TemporaryFolder
    private let spool: Spool
    private let clock = HandClock()
    private let sentences = Locked<[String]>([])

    init() throws {
        folder = try TemporaryFolder()
        spool = Spool(folder: folder.url.appendingPathComponent("v1"), isShared: true)
    }

    private func uploader(
        _ network: Network, key: String = "lf_device_a", plainBytes: Int = .max,
        unwritten: Unwritten = Unwritten()
    ) throws -> Uploader {
        var bounds = Uploader.Bounds()
        bounds.plainBytes = plainBytes
        let url = try #require(URL(string: "https://push.example/landfall"))
        return Uploader(
            Configuration(url: url, key: key), spool: spool, transport: network, bounds: bounds,
            clock: clock.clock, unwritten: unwritten,
            log: { [sentences] sentence in sentences.use { $0.append(sentence) } }
        ) { item, now in
            item["reported_at"] = now
            return item["later"] == nil
        }
    }

    private func write(_ numbers: some Sequence<Int>, extra: String = "") throws {
        for number in numbers {
            try spool.write(
                Data(#"{"number":\#(number)\#(extra)}"#.utf8), identity: "\(number)",
                at: clock.now + Int64(number))
        }
    }

    private static func numbers(_ request: Request) -> [Int] {
        request.items.compactMap { $0["number"] as? Int }
    }

    @Test("posts what waits, oldest first, in requests of 100, and removes it")
    func all() async throws {
        try write(0..<250)
        let network = Network.recordingAll()
        #expect(try await uploader(network).upload(within: 8) == .done)
        #expect(
            network.sent.map { Self.numbers($0) } == [Array(0..<100), Array(100..<200), Array(200..<250)])
        #expect(spool.files().isEmpty)
        let first = try #require(network.sent.first)
        #expect(first.url.absoluteString == "https://push.example/landfall/v1/events")
        #expect(first.headers["Authorization"] == "Bearer lf_device_a")
        #expect(first.items.first?["reported_at"] as? Int64 == clock.now)
    }

    @Test("removes what the server rejected, too: it is in quarantine there")
    func rejected() async throws {
        try write(0..<2)
        let network = Network { _, _ in .recorded(1, rejected: ["too_old"]) }
        #expect(try await uploader(network).upload(within: 8) == .done)
        #expect(spool.files().isEmpty)
        #expect(sentences.use { $0 } == ["the server rejected an event: too_old"])
    }

    @Test(
        "keeps everything if the server is not reached, or does not say that it recorded it",
        arguments: [
            nil, .page(200), .page(403), .recorded(0), .problem(503, "unavailable"),
            .problem(401, "unauthorized"),
        ]
            as [Response?])
    func kept(_ response: Response?) async throws {
        try write(0..<150)
        let network = Network { _, _ in response }
        #expect(try await uploader(network).upload(within: 8) == .waiting)
        #expect(network.sent.count == 1, "one try, and no next request after a failure")
        #expect(spool.files().count == 150)
    }

    @Test("waits as long as the server says, in every process of the app")
    func paused() async throws {
        try write(0..<1)
        let busy = Network { _, _ in .problem(429, "rate_limited", retryAfter: 60) }
        _ = try await uploader(busy).upload(within: 8)
        let network = Network.recordingAll()
        clock.now += 59_000
        #expect(try await uploader(network).upload(within: 8) == .waiting)
        #expect(network.sent.isEmpty)
        clock.now += 1_000
        #expect(try await uploader(network).upload(within: 8) == .done)
        #expect(spool.files().isEmpty)
        #expect(spool.pause == nil)
    }

    @Test("stops after a wrong key until it is another one")
    func wrongKey() async throws {
        try write(0..<1)
        _ = try await uploader(Network { _, _ in .problem(401, "unauthorized") }).upload(within: 8)
        let network = Network.recordingAll()
        #expect(try await uploader(network).upload(within: 8) == .waiting)
        #expect(try await uploader(network, key: "lf_device_b").upload(within: 8) == .done)
        #expect(network.sent.count == 1)
    }

    @Test("finds the event that is too much for the server, drops that one, and posts the others")
    func divide() async throws {
        try write(0..<100)
        let network = Network { request, _ in
            Self.numbers(request).contains(37) ? .problem(413, "too_large") : .recorded(request.items.count)
        }
        #expect(try await uploader(network).upload(within: 8) == .done)
        #expect(spool.files().isEmpty)
        let recorded = network.sent.filter { !Self.numbers($0).contains(37) }.flatMap { Self.numbers($0) }
        #expect(Set(recorded) == Set(0..<100).subtracting([37]))
        // With the events that are posted after it.
        let reported = network.sent.flatMap(\.items).compactMap { $0["dropped"] as? Int }
        #expect(reported == [1] && spool.droppedCount == 0)
    }

    @Test("reports dropped events with the first event of the next request, once")
    func dropped() async throws {
        try write(0..<101)
        spool.countDropped(4)
        let silent = Network { _, _ in nil }
        _ = try await uploader(silent).upload(within: 8)
        let network = Network.recordingAll()
        _ = try await uploader(network).upload(within: 8)
        #expect(silent.items.compactMap { $0["dropped"] as? Int } == [4])
        #expect(network.items.compactMap { $0["dropped"] as? Int } == [4])
        #expect(network.items.first?["dropped"] != nil)
    }

    @Test(
        "reports dropped events once, even if a response is lost and another process uploads the event first")
    func droppedOnce() async throws {
        try write(0..<2)
        spool.countDropped(4)
        // The server has recorded it, but its response is lost.
        let losing = Network { _, _ in nil }
        _ = try await uploader(losing).upload(within: 8)
        #expect(losing.items.compactMap { $0["dropped"] as? Int } == [4])
        // Another process uploads the same event, and more events are dropped.
        spool.countDropped(1)
        let network = Network { request, number in number == 0 ? .recorded(request.items.count) : nil }
        _ = try await uploader(network).upload(within: 8)
        #expect(network.items.map { $0["dropped"] as? Int } == [4, nil])
        try write(2..<3)
        let later = Network.recordingAll()
        _ = try await uploader(later).upload(within: 8)
        #expect(later.items.map { $0["dropped"] as? Int } == [1])
        #expect(spool.droppedCount == 0)
    }

    @Test("reports dropped events with another event if the first one is dropped itself")
    func droppedAgain() async throws {
        try write(0..<2)
        spool.countDropped(4)
        _ = try await uploader(Network { _, _ in nil }).upload(within: 8)
        spool.drop(spool.files()[0])
        let network = Network.recordingAll()
        _ = try await uploader(network).upload(within: 8)
        #expect(network.items.compactMap { $0["dropped"] as? Int } == [5])
        #expect(spool.droppedCount == 0)
    }

    @Test("compresses bodies above 2 kB")
    func gzip() async throws {
        try write(0..<100)
        let network = Network { request, _ in
            request.headers["Content-Encoding"] == "gzip" && (request.body?.prefix(2) == Data([0x1f, 0x8b]))
                ? .recorded(100) : nil
        }
        #expect(try await uploader(network, plainBytes: 2_048).upload(within: 8) == .done)
        #expect(try #require(network.sent.first?.body).count < 2_000)
    }

    @Test("keeps what cannot be posted yet, and posts what follows")
    func incomplete() async throws {
        try write(0..<3, extra: #","later":true"#)
        try write(3..<5)
        let network = Network.recordingAll()
        #expect(try await uploader(network).upload(within: 8) == .done)
        #expect(network.sent.map { Self.numbers($0) } == [[3, 4]])
        #expect(spool.files().count == 3)
    }

    @Test("posts what is written meanwhile")
    func meanwhile() async throws {
        try write(0..<1)
        let network = Network { [spool, clock] request, number in
            if number == 0 {
                _ = try? spool.write(Data(#"{"number":1}"#.utf8), identity: "1", at: clock.now + 1)
            }
            return .recorded(request.items.count)
        }
        #expect(try await uploader(network).upload(within: 8) == .done)
        #expect(network.sent.map { Self.numbers($0) } == [[0], [1]])
    }

    @Test("begins no request after its time")
    func late() async throws {
        try write(0..<300)
        let network = Network { [clock] request, _ in
            clock.now += 5_000
            return .recorded(request.items.count)
        }
        #expect(try await uploader(network).upload(within: 8) == .waiting)
        #expect(network.sent.count == 2)
        #expect(spool.files().count == 100)
        #expect(spool.pause == nil)
    }

    @Test("forgets everything about a device that was erased")
    func erased() async throws {
        try write(0..<3)
        #expect(
            try await uploader(Network { _, _ in .problem(410, "erased_device") }).upload(within: 8)
                == .erased)
        #expect(spool.files().isEmpty)
    }

    @Test("posts events that are only in memory, and keeps those that it cannot post")
    func unwritten() async throws {
        try write(0..<1)
        let unwritten = Unwritten()
        for (number, extra) in [(7, ""), (8, #","later":true"#)] {
            let event = Data(#"{"number":\#(number)\#(extra)}"#.utf8)
            _ = unwritten.keep(
                Spool.Event(file: .init(identity: "\(number)", at: clock.now), bytes: event))
        }
        #expect(
            try await uploader(Network { _, _ in nil }, unwritten: unwritten).upload(within: 8) == .waiting)
        #expect(unwritten.events.count == 2)
        let network = Network.recordingAll()
        #expect(try await uploader(network, unwritten: unwritten).upload(within: 8) == .done)
        #expect(network.sent.map { Self.numbers($0) } == [[7, 0]])
        // It cannot be posted yet.
        #expect(unwritten.events.map(\.file.name) == [Spool.File(identity: "8", at: clock.now).name])
    }

    @Test("makes one request at a time")
    func oneAtATime() async throws {
        try write(0..<10)
        let network = Network.recordingAll()
        let uploader = try uploader(network)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = await uploader.upload(within: 8) } }
        }
        #expect(network.sent.count == 1)
    }
}
