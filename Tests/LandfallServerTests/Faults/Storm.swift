import Foundation
import HTTPTypes
import LandfallServer
import PostgresClient
import Reports
import TestDatabase
import Testing

/// Clients that post during a fault, and repeat each request unchanged until it gets a 200.
struct Storm: Sendable {
    /// In one request, with three events each.
    static let notificationsPerBody = 10
    private static let lanes = 6

    private let server: TestServer
    let tally = Tally()

    init(server: TestServer) {
        self.server = server
    }

    /// Posts the bodies with these numbers until each gets a 200. The first is posted alone and creates the
    /// day's partition: concurrent creation is not the subject here.
    func post(_ numbers: Range<Int>) async throws {
        guard let first = numbers.first else { return }
        try await post(Self.body(first))
        let numbers = numbers.dropFirst()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<Self.lanes {
                group.addTask {
                    for number in numbers.dropFirst(lane).enumerated().filter({ $0.offset % Self.lanes == 0 })
                    {
                        try await post(Self.body(number.element))
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func post(_ body: [UInt8]) async throws {
        for _ in 0..<5_000 {
            if await attempt(body) == 200 { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw NeverResponding()
    }

    /// Returns the status of the response; `nil` if there was none.
    @discardableResult
    func attempt(_ body: [UInt8]) async -> Int? {
        do {
            let response = try await server.post(body)
            await tally.note(
                status: response.status, mayRepeat: response.headers[.retryAfter] != nil,
                isOverloaded: response.text.contains(#""code":"overloaded""#))
            return response.status
        } catch {
            await tally.note(noResponse: error)
            return nil
        }
    }

    /// Response, arrival and click of ten notifications.
    static func body(_ number: Int) -> [UInt8] {
        let first = number * notificationsPerBody
        let events = (first..<first + notificationsPerBody).flatMap { number -> [String] in
            let id = notificationID(number)
            return [
                """
                {"type":"response","notification_id":"\(id)","provider":"apns","status":200,\
                "token":"\(tokenValue(number % 97))","topic":"com.example.shop","campaign":"spring",\
                "mutable_content":true}
                """,
                #"{"type":"arrival","notification_id":"\#(id)"}"#,
                #"{"type":"click","notification_id":"\#(id)"}"#,
            ]
        }
        return Array("[\(events.joined(separator: ","))]".utf8)
    }

    /// Expects everything with a 200 to be recorded once, and the counters to agree with the rows.
    static func expectExactlyOnce(bodies: Int, in database: TestDatabase = .current) async throws {
        let expected = Int64(bodies * notificationsPerBody)
        #expect(try await database.count("SELECT count(*) FROM landfall.delivery") == expected)
        for measure in ["attempted", "accepted", "arrived", "clicked"] {
            let sum = try await database.count(
                "SELECT coalesce(sum(\(measure)), 0)::bigint FROM report_v1.funnel_by_quarter")
            #expect(sum == expected, "\(measure)")
        }
        #expect(try await database.count("SELECT count(*) FROM landfall.quarantined_item") == 0)
        let verification = try await database.pool.withConnection { try Verification.run(on: $0) }
        #expect(verification.differenceCount == 0)
    }

    struct NeverResponding: Error {}
}

/// The responses to the clients.
actor Tally {
    private(set) var accepted = 0
    private(set) var rejected = 0
    /// The rejected requests with the code `overloaded`.
    private(set) var overloaded = 0
    /// Everything except 200, and 503 with Retry-After.
    private(set) var strange: [String] = []
    private var waiting:
        [(isDue: @Sendable (Int, Int) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

    func note(noResponse error: any Error) {
        strange.append("no response: \(error)")
    }

    func note(status: Int, mayRepeat: Bool, isOverloaded: Bool) {
        if isOverloaded { overloaded += 1 }
        switch status {
        case 200: accepted += 1
        case 503 where mayRepeat: rejected += 1
        default: strange.append(String(status))
        }
        let (accepted, rejected) = (accepted, rejected)
        for waiter in waiting where waiter.isDue(accepted, rejected) { waiter.continuation.resume() }
        waiting.removeAll { $0.isDue(accepted, rejected) }
    }

    /// Waits until `count` more requests are rejected.
    func rejections(_ count: Int = 1) async {
        let goal = rejected + count
        await wait { _, rejected in rejected >= goal }
    }

    /// Waits until `count` more requests get a 200.
    func acceptances(_ count: Int = 1) async {
        let goal = accepted + count
        await wait { accepted, _ in accepted >= goal }
    }

    private func wait(_ isDue: @escaping @Sendable (Int, Int) -> Bool) async {
        await withCheckedContinuation { waiting.append((isDue, $0)) }
    }
}

extension ServerConfiguration {
    /// Shortens the timeouts: on a busy machine a database may take long to return, and queued requests wait
    /// for the ones before them too. No client of `Storm` may wait so long for its 503 that it gives up.
    mutating func respondsBeforeClientsGiveUp() {
        statementTimeout = .seconds(5)
        workTimeout = .seconds(5)
    }
}
