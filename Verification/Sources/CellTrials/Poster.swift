internal import Basics
internal import Foundation
internal import NIOHTTP1
internal import Synchronization

/// What is recorded of an app.
struct RecordedItems: Sendable, Equatable {
    /// The notifications that the provider accepted, and those that it did not.
    var accepted: Set<String> = []
    var rejected: Set<String> = []
    var arrived: Set<String> = []
    /// The values of registered tokens.
    var tokens: Set<String> = []

    mutating func formUnion(_ other: RecordedItems) {
        accepted.formUnion(other.accepted)
        rejected.formUnion(other.rejected)
        arrived.formUnion(other.arrived)
        tokens.formUnion(other.tokens)
    }
}

/// What servers responded to all clients.
final class PostLog: Sendable {
    private struct State {
        var items = 0
        var refusals: [String: Int] = [:]
        var troubles: [String] = []
    }

    private static let mostTroubles = 50

    private let state = Mutex(State())

    /// The number of items that were acknowledged.
    var items: Int { state.withLock { $0.items } }
    /// Responses that nothing was recorded, such as `503 app_moving 12`.
    var refusals: [String] { state.withLock { $0.refusals }.map { "\($0) \($1)" }.sorted() }
    /// What no server may respond. Only the first are kept.
    var troubles: [String] { state.withLock { $0.troubles } }

    func acknowledged(_ items: Int) { state.withLock { $0.items += items } }

    func refused(_ response: CellResponse?) {
        guard let response else { return state.withLock { $0.refusals["no response", default: 0] += 1 } }
        let words = "\(response.status) \(response.code)"
        state.withLock { $0.refusals[words, default: 0] += 1 }
        guard response.status != 503, response.status != 429 else { return }
        trouble("\(words): \(String(decoding: response.body.prefix(300), as: UTF8.self))")
    }

    func trouble(_ text: String) {
        state.withLock { state in
            guard state.troubles.count < Self.mostTroubles else { return }
            state.troubles.append(text)
        }
    }
}

/// A sender with its phones. It repeats each request until a server has acknowledged it, and some afterward.
struct Poster: Sendable {
    struct Request: Sendable {
        let method: HTTPMethod
        let path: String
        let body: String
        var isByDevice = false
        /// What is recorded once the request is acknowledged.
        let items: RecordedItems
        /// The number of items that the server counts; 0 for a registration.
        let count: Int
    }

    private struct Sent {
        let id: String
        var sentAt: Int64
    }

    private struct Phone {
        let deviceID: String
        let token: String
    }

    let app: CellApp
    let client: CellClient
    let log: PostLog
    /// The time from one request to the next; `nil` if there is none.
    let pace: Duration?
    private var random: SeededRandom
    private var phones: [Phone] = []
    private var sent: [Sent] = []
    private var acknowledged: [Request] = []
    /// What servers have acknowledged.
    private(set) var known = RecordedItems()

    private static let giveUpAfter = Duration.seconds(180)

    init(_ app: CellApp, _ client: CellClient, _ log: PostLog, pace: Duration?, random: SeededRandom) {
        (self.app, self.client, self.log, self.pace, self.random) = (app, client, log, pace, random)
    }

    mutating func run(until isOver: @Sendable () -> Bool) async throws {
        while !isOver() {
            let began = ContinuousClock.now
            if random.chance(0.15), !acknowledged.isEmpty {
                try await post(acknowledged[random.below(acknowledged.count)], isRepeated: true)
            } else {
                let request = next()
                try await post(request, isRepeated: false)
                known.formUnion(request.items)
                if acknowledged.count >= 64 { acknowledged.remove(at: random.below(acknowledged.count)) }
                acknowledged.append(request)
            }
            if let pace { try await Task.sleep(until: began + pace, clock: .continuous) }
        }
    }

    private mutating func post(_ request: Request, isRepeated: Bool) async throws {
        let deadline = ContinuousClock.now + Self.giveUpAfter
        let key = request.isByDevice ? app.deviceKey : app.serverKey
        var attempts = 0
        while true {
            attempts += 1
            let response = await client.send(
                request.method, request.path, request.body, key: key, cell: app.cell, &random)
            if let response, response.status == 200 {
                check(response, to: request, mayBeNew: !isRepeated, mayBeKnown: isRepeated || attempts > 1)
                return log.acknowledged(max(request.count, 1))
            }
            log.refused(response)
            guard ContinuousClock.now < deadline else { throw NeverAcknowledged(slug: app.slug) }
            try await Task.sleep(for: pace ?? .milliseconds(50))
        }
    }

    struct NeverAcknowledged: Error {
        let slug: String
    }

    private struct Verdict: Decodable {
        let accepted: Int
        let duplicates: Int
    }

    private func check(_ response: CellResponse, to request: Request, mayBeNew: Bool, mayBeKnown: Bool) {
        guard request.count > 0 else { return }
        let text = String(decoding: response.body, as: UTF8.self)
        guard let verdict = try? JSONDecoder().decode(Verdict.self, from: response.body),
            verdict.accepted + verdict.duplicates == request.count
        else { return log.trouble("not recorded: \(text) of \(request.body)") }
        if !mayBeNew, verdict.accepted > 0 { log.trouble("recorded again: \(text) of \(request.body)") }
        if !mayBeKnown, verdict.duplicates > 0 { log.trouble("known before: \(text) of \(request.body)") }
    }

    // MARK: - Requests

    private mutating func next() -> Request {
        let choice = random.unit()
        if phones.count < 3 || choice < 0.1 { return registration() }
        return choice < 0.35 && !sent.isEmpty ? arrivals() : responses()
    }

    /// A new phone, or a phone with a new token.
    private mutating func registration() -> Request {
        let isNew = phones.count < 3 || phones.count < 200 && random.chance(0.5)
        let position = isNew ? phones.count : random.below(phones.count)
        let phone = Phone(
            deviceID: isNew ? newID() : phones[position].deviceID, token: random.hexDigits(64))
        if isNew { phones.append(phone) } else { phones[position] = phone }
        return Request(
            method: .PUT, path: "/v1/devices/\(phone.deviceID)",
            body: """
                {"platform":"ios","tokens":[{"value":"\(phone.token)","kind":"alert","topic":"com.example.shop"}]}
                """,
            items: RecordedItems(tokens: [phone.token]), count: 0)
    }

    /// Responses to new notifications. The phone of a token that the provider does not know is gone.
    private mutating func responses() -> Request {
        var items = RecordedItems()
        let texts = (0..<random.within(1...20)).map { _ in
            let position = random.below(phones.count)
            let token = phones[position].token
            var one = Sent(id: newID(), sentAt: Instant.now.millisecondsSinceEpoch)
            var answer = #""status":200"#
            if phones.count > 3, random.chance(0.01) {
                answer = #""status":410,"reason":"Unregistered""#
                phones.remove(at: position)
                items.rejected.insert(one.id)
            } else {
                // Three days ago: a move copies such days while it serves the app.
                if random.chance(0.3) { one.sentAt -= 3 * 86_400_000 }
                items.accepted.insert(one.id)
                sent.append(one)
            }
            return """
                {"type":"response","notification_id":"\(one.id)","sent_at":\(one.sentAt),"provider":"apns",\
                \(answer),"token":"\(token)","topic":"com.example.shop","campaign":"soak"}
                """
        }
        return events(texts, items, isByDevice: false)
    }

    private mutating func arrivals() -> Request {
        var items = RecordedItems()
        let texts = (0..<min(random.within(1...10), sent.count)).map { _ in
            let one = sent.remove(at: random.below(sent.count))
            items.arrived.insert(one.id)
            return #"{"type":"arrival","notification_id":"\#(one.id)","sent_at":\#(one.sentAt)}"#
        }
        return events(texts, items, isByDevice: true)
    }

    private func events(_ texts: [String], _ items: RecordedItems, isByDevice: Bool) -> Request {
        Request(
            method: .POST, path: "/v1/events", body: "[\(texts.joined(separator: ","))]",
            isByDevice: isByDevice, items: items, count: texts.count)
    }

    /// A UUID of version 4.
    private mutating func newID() -> String {
        let digits = random.hexDigits(32)
        func part(_ from: Int, _ count: Int) -> Substring { digits.dropFirst(from).prefix(count) }
        return "\(part(0, 8))-\(part(8, 4))-4\(part(13, 3))-8\(part(17, 3))-\(part(20, 12))"
    }
}
