import Access
import Basics
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallServer
import TestDatabase
import Testing

/// A botnet with an extracted device key that has used up a quota: its cost, and the service that others
/// still get.
@Suite(.database, .timeLimit(.minutes(40))) struct SpentQuotaHostileTests {
    private let database = TestDatabase.current

    /// Runs a server that takes each client's address from `X-Forwarded-For`.
    private func run(
        quota: Int, _ body: @escaping @Sendable (TestServer) async throws -> Void
    ) async throws {
        try await TestServer.run(
            settings: ["device_quota": "\(quota)"],
            configure: {
                // Each address of the botnet stays below its own limit.
                $0.limits.deviceEvents = nil
                $0.limits.installationRequests = nil
                $0.limits.trustedProxies = [AddressRange("127.0.0.0/8")].compactMap { $0 }
            }, body)
    }

    private static func client(_ address: String) -> HTTPFields {
        HTTPField.Name("X-Forwarded-For").map { [$0: address] } ?? [:]
    }

    private static func bot(_ number: Int) -> HTTPFields { client("198.51.100.\(number)") }

    private static func clicks(_ ids: [String], also fields: String = "") -> String {
        let items = ids.map { #"{"type":"click","notification_id":"\#($0)"\#(fields)}"# }
        return "[\(items.joined(separator: ","))]"
    }

    private static func clicks(_ numbers: Range<Int>) -> String { clicks(numbers.map { notificationID($0) }) }

    private static func responses(_ ids: [String]) -> String {
        let items = ids.enumerated().map { number, id in
            #"{"type":"response","notification_id":"\#(id)","provider":"apns","status":200,"#
                + #""sent_at":\#(sendTime.millisecondsSinceEpoch),"token":"\#(tokenValue(number))"}"#
        }
        return "[\(items.joined(separator: ","))]"
    }

    /// The bytes of all tables and their indexes, including rows that a transaction rolled back.
    private func size() async throws -> Int64 {
        try await database.count(
            """
            SELECT sum(pg_relation_size(oid))::bigint FROM pg_class
             WHERE relnamespace = 'landfall'::regnamespace AND relkind IN ('r', 'i')
            """)
    }

    @Test(
        "beyond a spent quota, forged events of every shape write no byte",
        arguments: ["known day", "past day", "without a time", "message", "invalid", "named device"])
    func free(shape: String) async throws {
        try await run(quota: 100) { server async throws in
            let known = UUID().uuidString
            #expect(try await server.post(Self.responses([known, notificationID(1)])).status == 200)
            #expect(
                try await server.post(Self.clicks(100..<200), as: .device, headers: Self.bot(1)).status == 200
            )
            #expect(
                try await server.post(Self.clicks([known]), as: .device, headers: Self.bot(1)).counts
                    == [1, 0, 0])
            let before = try await size()
            for request in 0..<30 {
                let items = (0..<100).map { number -> String in
                    let id = notificationID(1_000 + request * 100 + number)
                    let past = notificationID(request * 100 + number, at: sendTime - .days(9))
                    return switch shape {
                    case "known day": #"{"type":"click","notification_id":"\#(id)"}"#
                    case "past day": #"{"type":"click","notification_id":"\#(past)"}"#
                    case "without a time": #"{"type":"click","notification_id":"\#(UUID())"}"#
                    case "message": #"{"type":"click","message_id":"\#(id)","device_id":"\#(UUID())"}"#
                    case "named device":
                        #"{"type":"click","notification_id":"\#(id)","device_id":"\#(UUID())","dropped":9}"#
                    default: #"{"type":"click","notification_id":"\#(number) is none"}"#
                    }
                }
                let rejected = try await server.post(
                    "[\(items.joined(separator: ","))]", as: .device, headers: Self.bot(2 + request))
                #expect(rejected.status == 429)
                #expect(rejected.code == "quota_exceeded")
            }
            #expect(try await size() == before)
            // An event whose notification has a response is still recorded, under any id, and a known event
            // is a duplicate.
            let genuine = Self.clicks([known, notificationID(1), notificationID(100)])
            #expect(try await server.post(genuine, as: .device, headers: Self.bot(99)).counts == [1, 2, 0])
        }
    }

    @Test(
        "an event that was faster than its response gets a Retry-After of a minute or two, and is recorded then"
    )
    func early() async throws {
        try await run(quota: 100) { server async throws in
            #expect(
                try await server.post(Self.clicks(100..<200), as: .device, headers: Self.bot(1)).status == 200
            )
            let phone = Self.client("192.0.2.7")
            let early = try await server.post(Self.clicks(1..<2), as: .device, headers: phone)
            #expect(early.status == 429)
            #expect(early.headers[.retryAfter].flatMap { Int($0) }.map { (60...120).contains($0) } == true)
            #expect(try await server.post(Self.responses([notificationID(1)])).status == 200)
            #expect(
                try await server.post(Self.clicks(1..<2), as: .device, headers: phone).counts == [1, 0, 0])
        }
    }

    @Test("events whose responses arrive later use no quota")
    func confirmedLate() async throws {
        try await run(quota: 100) { server async throws in
            let phone = Self.client("192.0.2.7")
            for round in 0..<5 {
                let numbers = round * 90..<(round + 1) * 90
                #expect(
                    try await server.post(Self.clicks(numbers), as: .device, headers: phone).counts
                        == [90, 0, 0])
                let responses = Self.responses(numbers.map { notificationID($0) })
                #expect(try await server.post(responses).counts == [90, 0, 0])
            }
            #expect(
                try await server.post(Self.clicks(1_000..<1_100), as: .device, headers: phone).status == 200)
            #expect(
                try await server.post(Self.clicks(2_000..<2_001), as: .device, headers: phone).status == 429)
        }
    }

    @Test("any number of strange addresses cannot use up the reserve of addresses with confirmed events")
    func standing() async throws {
        try await run(quota: 400) { server async throws in
            let (carrier, device) = (Self.client("192.0.2.7"), UUID())
            #expect(try await server.post(Self.responses((0..<60).map { notificationID($0) })).status == 200)
            #expect(
                try await server.post(Self.clicks(0..<50), as: .device, headers: carrier).counts == [
                    50, 0, 0,
                ])
            let named = Self.clicks(
                (50..<60).map { notificationID($0) }, also: #","device_id":"\#(device)""#)
            #expect(
                try await server.post(named, as: .device, headers: Self.client("192.0.2.8")).status == 200)

            for bot in 0..<20 {
                let numbers = 1_000 + bot * 100..<1_100 + bot * 100
                let status = try await server.post(
                    Self.clicks(numbers), as: .device, headers: Self.bot(bot)
                ).status
                #expect(status == (bot < 4 ? 200 : 429))
            }
            // An address with 50 confirmed events may add 50 unmatched ones, and no more.
            #expect(
                try await server.post(Self.clicks(9_000..<9_050), as: .device, headers: carrier).status == 200
            )
            #expect(
                try await server.post(Self.clicks(9_100..<9_101), as: .device, headers: carrier).status == 429
            )
            // The same holds for a device, at any address.
            let elsewhere = Self.clicks([notificationID(9_200)], also: #","device_id":"\#(device)""#)
            #expect(
                try await server.post(elsewhere, as: .device, headers: Self.client("203.0.113.5")).status
                    == 200)
            #expect(
                try await server.post(
                    Self.clicks(9_300..<9_301), as: .device, headers: Self.client("203.0.113.5")
                ).status == 429)
        }
    }

    @Test(
        "new phones at an address with confirmed events can register, however many strangers have registered")
    func newPhones() async throws {
        try await run(quota: 40) { server async throws in
            @Sendable func register(_ number: Int, from client: HTTPFields) async throws -> Int {
                let body = registration(tokenValue(number))
                return try await server.send(
                    .put, "/v1/devices/\(UUID())", Array(body.utf8), as: .device, headers: client
                ).status
            }
            let carrier = Self.client("192.0.2.7")
            #expect(try await server.post(Self.responses((0..<10).map { notificationID($0) })).status == 200)
            #expect(
                try await server.post(Self.clicks(0..<10), as: .device, headers: carrier).counts == [
                    10, 0, 0,
                ])
            for bot in 0..<60 {
                #expect(try await register(100 + bot, from: Self.bot(bot)) == (bot < 40 ? 200 : 429))
            }
            for phone in 0..<10 { #expect(try await register(1_000 + phone, from: carrier) == 200) }
            // The reserve is limited: each confirmed event makes room for one.
            #expect(try await register(2_000, from: carrier) == 429)
        }
    }

    @Test("events that are confirmed while a quota is spent earn no further part of it")
    func latecomers() async throws {
        try await run(quota: 100) { server async throws in
            #expect(
                try await server.post(Self.clicks(100..<200), as: .device, headers: Self.bot(1)).status == 200
            )
            #expect(try await server.post(Self.responses((0..<10).map { notificationID($0) })).status == 200)
            #expect(
                try await server.post(Self.clicks(0..<10), as: .device, headers: Self.bot(2)).counts
                    == [10, 0, 0])
            #expect(
                try await server.post(Self.clicks(300..<301), as: .device, headers: Self.bot(2)).status == 429
            )
        }
    }
}
