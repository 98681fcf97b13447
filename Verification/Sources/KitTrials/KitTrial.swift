internal import Access
internal import AsyncHTTPClient
internal import DeliveryModel
public import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
public import PostgresClient
internal import Synchronization

/// Phones with the kit receive notifications. Their programs are killed at random, and the network is bad. In
/// the end, the server must have recorded every event that was on a disk at some time, and nothing else.
public struct KitTrial: Sendable {
    public var seed: UInt64
    public var phones: Int
    /// Each is a run of the extension.
    public var notificationsPerPhone: Int
    /// The folder with `landfall-phone`.
    public let programs: URL
    /// The server's address.
    public let server: String
    public let pool: PostgresPool

    public init(
        seed: UInt64, phones: Int, notificationsPerPhone: Int, programs: URL, server: String,
        pool: PostgresPool
    ) {
        self.seed = seed
        self.phones = phones
        self.notificationsPerPhone = notificationsPerPhone
        self.programs = programs
        self.server = server
        self.pool = pool
    }

    public struct Outcome: Sendable, CustomStringConvertible {
        public var appID: Int64
        public var runs = 0
        public var killed = 0
        /// Faults of the network, such as `cutAfterBody 312`.
        public var faults: [String] = []
        public var expected: Set<String> = []
        public var recorded: [String] = []
        /// What went wrong on phones: events dropped, an app that could not upload.
        public var troubles: [String] = []
        /// Events whose recorded time is not within the trial.
        public var misdated: [String] = []
        /// `arrived` and `clicked` in `GET /v1/reports/funnel`.
        public var reported: [Int] = []

        public var lost: Set<String> { expected.subtracting(recorded) }
        public var invented: Set<String> { Set(recorded).subtracting(expected) }
        public var expectedReport: [Int] {
            ["arrival ", "click "].map { kind in expected.count { $0.hasPrefix(kind) } }
        }
        public var description: String {
            let lines = [
                "\(runs) runs of extensions and apps, \(killed) of them killed; requests: \(faults.joined(separator: ", "))",
                "\(expected.count) events were on a disk or reached the server, \(recorded.count) are recorded, "
                    + "\(lost.count) lost, \(invented.count) of unknown origin, \(misdated.count) with a wrong time; reported \(reported), expected \(expectedReport)",
            ]
            return (lines + troubles + lost.sorted().prefix(20).map { "lost: \($0)" }).joined(separator: "\n")
        }

        public var isRight: Bool {
            lost.isEmpty && invented.isEmpty && Set(recorded).count == recorded.count && troubles.isEmpty
                && misdated.isEmpty && reported == expectedReport
        }
    }

    private struct Keys {
        let appID: Int64
        let server: String
        let device: String
        let report: String
    }

    private static let atOnce = 8
    /// By how many milliseconds the clocks of phones are ahead, one phone after the other.
    private static let clocks: [Int64] = [0, 0, 0, 86_400_000, -86_400_000]

    /// - Parameter folder: for the phones, one folder each.
    public func run(in folder: URL, progress: @escaping @Sendable (Int) -> Void = { _ in }) async throws
        -> Outcome
    {
        let client = HTTPClient(eventLoopGroupProvider: .singleton)
        let result: Result<Outcome, any Error>
        do {
            result = .success(try await run(in: folder, client, progress))
        } catch {
            result = .failure(error)
        }
        try await client.shutdown()
        return try result.get()
    }

    private func run(
        in folder: URL, _ client: HTTPClient, _ progress: @escaping @Sendable (Int) -> Void
    ) async throws -> Outcome {
        let beginning = Instant.now
        let keys = try await makeApp()
        let network = BadNetwork(to: server, seed: seed, client: client)
        let outcome = Mutex(Outcome(appID: keys.appID))
        let phones = try await onThreads(0..<self.phones) { try register($0, in: folder, keys) }
        try await post(phones, keys, client)
        try await network.serve { address in
            _ = try await onThreads(phones) { phone in
                try live(phone, address, keys, outcome) { progress($0) }
            }
            network.becomeGood()
            _ = try await onThreads(phones) { phone in
                try settle(phone, address, keys, outcome)
            }
        }
        let recorded = try await pool.withConnection { connection in
            try connection.query(.Soak.recordedDeviceEvents, [.value(keys.appID)]).map {
                (name: try $0.get("name") as String, at: try $0.get("at") as Instant)
            }
        }
        let trial = beginning - .minutes(1)...Instant.now + .minutes(1)
        let reported = try await report(keys, client)
        return outcome.withLock { outcome in
            outcome.expected.formUnion(network.recorded)
            outcome.recorded = recorded.map(\.name)
            outcome.misdated = recorded.filter { !trial.contains($0.at) }.map(\.name)
            outcome.reported = reported
            outcome.faults = network.faults.map { "\($0) \($1)" }.sorted()
            return outcome
        }
    }

    // MARK: - Before

    private func makeApp() async throws -> Keys {
        try await pool.withTransaction(attempts: 4) { connection in
            let directory = AppDirectory(connection)
            let app = try directory.createApp(slug: "kit-" + UUID().uuidString.lowercased(), at: .now)
            func key(_ kind: APIKey.Kind) throws -> String {
                try directory.createKey(kind: kind, for: app, at: .now).text
            }
            return Keys(
                appID: app.appID, server: try key(.server), device: try key(.device), report: try key(.report)
            )
        }
    }

    /// The app's first launch, on a good network.
    private func register(_ number: Int, in folder: URL, _ keys: Keys) throws -> Phone {
        var random = SeededRandom(seed: seed, stream: UInt64(number))
        var phone = Phone(
            number: number, folder: folder.appendingPathComponent("phone-\(number)"),
            token: random.hexDigits(64))
        try FileManager.default.createDirectory(at: phone.folder, withIntermediateDirectories: true)
        let ahead = Self.clocks[number % Self.clocks.count]
        try Data("\(ahead)".utf8).write(to: phone.folder.appendingPathComponent("clock"))
        let launched = try phone.run(
            program, "app", server, key: keys.device, ["token": phone.token], killedAfter: nil)
        guard launched.code == 0 else { throw PhoneFailed(log: phone.lastLines) }
        try phone.learnDeviceID()
        return phone
    }

    /// Every tenth notification is part of a message to all phones.
    private func payload(_ index: Int, _ phone: Phone) -> [String: Any] {
        let isMessage = index.isMultiple(of: 10)
        let id = Self.id(seed, isMessage ? nil : phone.number, index)
        return [
            "aps": ["alert": "Hi", "mutable-content": 1], "landfall": [isMessage ? "message" : "id": id],
        ]
    }

    /// An id of version 4, always the same for the same notification.
    private static func id(_ seed: UInt64, _ phone: Int?, _ index: Int) -> String {
        var random = SeededRandom(seed: seed, stream: UInt64((phone ?? 1_000_000) + 1) << 32 | UInt64(index))
        let digits = random.hexDigits(32)
        func part(_ from: Int, _ count: Int) -> Substring { digits.dropFirst(from).prefix(count) }
        return "\(part(0, 8))-\(part(8, 4))-4\(part(13, 3))-8\(part(17, 3))-\(part(20, 12))"
    }

    /// The provider accepted all of them.
    private func post(_ phones: [Phone], _ keys: Keys, _ client: HTTPClient) async throws {
        let sentAt = Instant.now.millisecondsSinceEpoch
        for phone in phones {
            let items = (0..<notificationsPerPhone).map { index -> [String: Any] in
                var item: [String: Any] = [
                    "type": "response", "provider": "apns", "status": 200, "token": phone.token,
                    "topic": "com.example.shop", "campaign": "kit", "sent_at": sentAt,
                ]
                let name = payload(index, phone)["landfall"] as? [String: String]
                item["notification_id"] = name?["id"]
                item["message_id"] = name?["message"]
                return item
            }
            var request = HTTPClientRequest(url: server + "/v1/events")
            request.method = .POST
            request.headers.add(name: "Authorization", value: "Bearer \(keys.server)")
            request.body = .bytes(ByteBuffer(bytes: try JSONSerialization.data(withJSONObject: items)))
            let response = try await client.execute(request, timeout: .seconds(60))
            let text = String(buffer: try await response.body.collect(upTo: 1 << 20))
            guard text.contains("\"accepted\":\(items.count),") else { throw UnexpectedResponse(text: text) }
        }
    }

    // MARK: - Life

    /// The phone's notifications arrive one after the other; some are tapped.
    private func live(
        _ phone: Phone, _ address: String, _ keys: Keys, _ outcome: borrowing Mutex<Outcome>,
        _ progress: (Int) -> Void
    ) throws {
        var random = SeededRandom(seed: seed ^ 0xA11, stream: UInt64(phone.number))
        for index in 0..<notificationsPerPhone {
            let payload = payload(index, phone)
            let killedAfter = random.chance(0.6) ? UInt32(random.below(120_000)) : nil
            let run = try phone.run(
                program, "extension", address, key: keys.device, payload, killedAfter: killedAfter)
            note(run, [name("arrival", payload, phone)], phone, killedAfter, outcome, progress)
            guard random.chance(0.25) else { continue }
            let taps = [["payload": payload, "action": random.chance(0.5) ? "buy" : "reply"]]
            let afterTap = UInt32(20_000 + random.below(200_000))
            let tapped = try phone.run(
                program, "app", address, key: keys.device, ["token": phone.token, "taps": taps],
                killedAfter: afterTap)
            note(tapped, [name("click", payload, phone)], phone, afterTap, outcome, progress)
        }
    }

    private func name(_ type: String, _ payload: [String: Any], _ phone: Phone) -> String {
        let name = payload["landfall"] as? [String: String] ?? [:]
        var item: [String: Any] = ["type": type, "device_id": phone.deviceID]
        item["notification_id"] = name["id"]
        item["message_id"] = name["message"]
        return BadNetwork.name(of: item)
    }

    private func note(
        _ run: (recorded: Int, code: Int32?), _ names: [String], _ phone: Phone, _ killedAfter: UInt32?,
        _ outcome: borrowing Mutex<Outcome>, _ progress: (Int) -> Void
    ) {
        let waiting = phone.waiting()
        let runs = outcome.withLock { outcome in
            outcome.runs += 1
            if killedAfter != nil {
                outcome.killed += 1
            } else if run.code != 0 {
                outcome.troubles.append(
                    "phone \(phone.number) ended with \(run.code ?? -1): \(phone.lastLines)")
            }
            outcome.expected.formUnion(names.prefix(run.recorded))
            outcome.expected.formUnion(waiting)
            return outcome.runs
        }
        progress(runs)
    }

    /// The network is good again, and the app is opened once more.
    private func settle(
        _ phone: Phone, _ address: String, _ keys: Keys, _ outcome: borrowing Mutex<Outcome>
    ) throws {
        let launched = try phone.run(program, "app", address, key: keys.device, [:], killedAfter: nil)
        let waiting = phone.waiting()
        outcome.withLock { outcome in
            if launched.code != 0 || !waiting.isEmpty || phone.hasDropped {
                outcome.troubles.append(
                    "phone \(phone.number): code \(launched.code ?? -1), \(waiting.count) waiting, \(phone.lastLines)"
                )
            }
        }
    }

    // MARK: - After

    private func report(_ keys: Keys, _ client: HTTPClient) async throws -> [Int] {
        var request = HTTPClientRequest(url: server + "/v1/reports/funnel?from=24h")
        request.headers.add(name: "Authorization", value: "Bearer \(keys.report)")
        let response = try await client.execute(request, timeout: .seconds(60))
        let bytes = try await response.body.collect(upTo: 1 << 20)
        let report = try JSONSerialization.jsonObject(with: Data(bytes.readableBytesView)) as? [String: Any]
        let totals = report?["totals"] as? [String: Any]
        guard let counts = totals?["counts"] as? [String: Any], let arrived = counts["arrived"] as? Int,
            let clicked = counts["clicked"] as? Int
        else { throw UnexpectedResponse(text: String(buffer: bytes)) }
        return [arrived, clicked]
    }

    private var program: URL { programs.appendingPathComponent("landfall-phone") }

    /// Child programs are waited for, so not on the threads that serve the network.
    private func onThreads<Element: Sendable, Value: Sendable>(
        _ elements: some Sequence<Element>, _ body: @escaping @Sendable (Element) throws -> Value
    ) async throws -> [Value] {
        let threads = NIOThreadPool(numberOfThreads: Self.atOnce)
        threads.start()
        let result: Result<[Value], any Error>
        do {
            result = .success(
                try await withThrowingTaskGroup(of: (Int, Value).self) { group in
                    for (number, element) in elements.enumerated() {
                        group.addTask { (number, try await threads.runIfActive { try body(element) }) }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
                })
        } catch {
            result = .failure(error)
        }
        try await threads.shutdownGracefully()
        return try result.get()
    }
}

struct PhoneFailed: Error {
    let log: String
}

struct UnexpectedResponse: Error {
    let text: String
}
