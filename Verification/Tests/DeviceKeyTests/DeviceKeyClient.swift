import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Simulation

/// Posts to a server from one address: a sender, its phones, and an attacker who has their key.
struct DeviceKeyClient: Sendable {
    let server: String
    let serverKey: String
    let deviceKey: String

    /// The verdicts on items, or on registrations.
    struct Verdicts: Decodable {
        fileprivate(set) var accepted = 0
        fileprivate(set) var duplicates = 0
        fileprivate(set) var rejected = 0

        var received: Int { accepted + duplicates + rejected }

        static func += (total: inout Verdicts, part: Verdicts) {
            total.accepted += part.accepted
            total.duplicates += part.duplicates
            total.rejected += part.rejected
        }
    }

    struct Outcome {
        fileprivate(set) var verdicts = Verdicts()
        /// Responses of 429 to the sender and to phones, which repeated these requests.
        fileprivate(set) var throttled = 0
        /// The verdicts on the attacker's items, which were posted once.
        fileprivate(set) var forged: [ForgedRequest.Kind: Verdicts] = [:]

        func accepted(_ kind: ForgedRequest.Kind) -> Int { forged[kind]?.accepted ?? 0 }

        fileprivate mutating func add(_ response: (verdicts: Verdicts, throttled: Int)) {
            verdicts += response.verdicts
            throttled += response.throttled
        }
    }

    struct UnexpectedResponse: Error {
        let status: UInt
        let text: String
    }

    private static let phonesAtOnce = 16
    private static let forgedAtOnce = 4

    /// Posts a day, slice by slice. Forged requests are spread over all slices.
    func post(_ day: DeviceDay, meanwhile forged: [ForgedRequest] = []) async throws -> Outcome {
        var outcome = Outcome()
        var rest = forged[...]
        for (position, slice) in day.slices.enumerated() {
            let attack = Array(rest.prefix(rest.count / (day.slices.count - position)))
            rest = rest.dropFirst(attack.count)
            async let attempts = inParallel(attack, atOnce: Self.forgedAtOnce) { try await attempt($0) }
            let registered = try await inParallel(slice.registrations, atOnce: Self.phonesAtOnce) {
                try await register($0)
            }
            outcome.throttled += registered.reduce(0, +)
            if !slice.senderEvents.isEmpty {
                let body = Array(slice.senderEvents.joined(separator: [UInt8(ascii: "\n")]))
                outcome.add(try await post(body, key: serverKey))
            }
            let posted = try await inParallel(slice.deviceEvents, atOnce: Self.phonesAtOnce) {
                try await post($0, key: deviceKey)
            }
            for response in posted { outcome.add(response) }
            for (kind, verdicts) in try await attempts {
                outcome.forged[kind, default: Verdicts()] += verdicts
            }
        }
        return outcome
    }

    private func register(_ registration: SimulatedRegistration) async throws -> Int {
        let path = "/v1/devices/\(registration.deviceID.uuidString.lowercased())"
        return try await sendUntilTaken(.PUT, path, registration.body, key: serverKey).throttled
    }

    private func post(_ events: [UInt8], key: String) async throws -> (verdicts: Verdicts, throttled: Int) {
        let (body, throttled) = try await sendUntilTaken(.POST, "/v1/events", events, key: key)
        return (try JSONDecoder().decode(Verdicts.self, from: body), throttled)
    }

    /// Posts an attacker's request once, whatever the server makes of it.
    private func attempt(_ forged: ForgedRequest) async throws -> (ForgedRequest.Kind, Verdicts) {
        guard let deviceID = forged.deviceID else {
            let (status, _, body) = try await send(.POST, "/v1/events", forged.body, key: deviceKey)
            let verdicts = status == 200 ? try JSONDecoder().decode(Verdicts.self, from: body) : Verdicts()
            return (forged.kind, verdicts)
        }
        let (status, _, _) = try await send(.PUT, "/v1/devices/\(deviceID)", forged.body, key: deviceKey)
        return (forged.kind, Verdicts(accepted: status == 200 ? 1 : 0))
    }

    /// Repeats a request that gets 429.
    private func sendUntilTaken(
        _ method: HTTPMethod, _ path: String, _ body: [UInt8], key: String
    ) async throws -> (body: Data, throttled: Int) {
        var throttled = 0
        while true {
            let (status, retryAfter, response) = try await send(method, path, body, key: key)
            if status == 200 { return (response, throttled) }
            guard status == 429 else {
                throw UnexpectedResponse(status: status, text: String(decoding: response, as: UTF8.self))
            }
            throttled += 1
            try await Task.sleep(for: .seconds(retryAfter ?? 1))
        }
    }

    private func send(
        _ method: HTTPMethod, _ path: String, _ body: [UInt8], key: String
    ) async throws -> (status: UInt, retryAfter: Int?, body: Data) {
        var request = HTTPClientRequest(url: server + path)
        request.method = method
        request.headers.add(name: "Authorization", value: "Bearer \(key)")
        request.headers.add(
            name: "Content-Type", value: method == .PUT ? "application/json" : "application/x-ndjson")
        request.body = .bytes(body)
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        let bytes = try await response.body.collect(upTo: 1 << 22)
        return (
            response.status.code, response.headers.first(name: "Retry-After").flatMap { Int($0) },
            Data(bytes.readableBytesView)
        )
    }
}

/// Runs the same work for every element, this many at once. Results come in any order.
private func inParallel<Element: Sendable, Value: Sendable>(
    _ elements: [Element], atOnce: Int, _ work: @escaping @Sendable (Element) async throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: Value.self) { group in
        var results: [Value] = []
        for (position, element) in elements.enumerated() {
            if position >= atOnce, let result = try await group.next() { results.append(result) }
            group.addTask { try await work(element) }
        }
        for try await result in group { results.append(result) }
        return results
    }
}
