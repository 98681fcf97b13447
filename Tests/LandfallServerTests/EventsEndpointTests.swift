import Access
import Foundation
import Hummingbird
import HummingbirdTesting
import LandfallServer
import TestDatabase
import Testing

@Suite(.database) struct EventsEndpointTests {
    private func response(_ number: Int, status: Int = 200, _ more: String = "") -> String {
        """
        {"type":"response","notification_id":"\(notificationID(number))","provider":"apns","status":\(status),\
        "token":"\(tokenValue(number))","topic":"com.example.shop","campaign":"spring"\(more)}
        """
    }

    private func event(_ type: String, _ number: Int) -> String {
        #"{"type":"\#(type)","notification_id":"\#(notificationID(number))"}"#
    }

    private func measure(_ column: String) async throws -> Int64 {
        try await TestDatabase.current.count(
            "SELECT coalesce(sum(\(column)), 0)::bigint FROM public.counted")
    }

    @Test("an object, an array and lines are all accepted, and each item gets a verdict")
    func shapes() async throws {
        try await TestServer.run { server async throws in
            #expect(try await server.post(response(1)).counts == [1, 0, 0])
            #expect(
                try await server.post("[\(event("arrival", 1)), \(event("click", 1))]").counts == [2, 0, 0])
            let lines = "\(response(2))\n\n\(event("arrival", 2))\n\(event("arrival", 1))\n"
            let response = try await server.post(lines, headers: [.contentType: "application/x-ndjson"])
            #expect(response.counts == [2, 1, 0])
            #expect(try await server.post("[]").counts == [0, 0, 0])
        }
        #expect(try await measure("accepted") == 2)
        #expect(try await measure("arrived") == 2)
        #expect(try await measure("clicked") == 1)
    }

    @Test("a body in another encoding or with an object around the items is rejected with what to change")
    func encodings() async throws {
        try await TestServer.run { server async throws in
            let item = Array(response(1).utf8)
            let wide: [UInt8] = item.flatMap { byte in [byte, 0] }
            #expect(try await server.post([0xFF, 0xFE] + wide).text.contains("UTF-8"))
            #expect(try await server.post(wide).text.contains("UTF-8"))
            #expect(try await server.post([0x1F, 0x8B, 8, 0]).text.contains("Content-Encoding: gzip"))
            #expect(try await server.post(#"{"events":[\#(response(1))]}"#).text.contains("array"))
        }
    }

    @Test("a repeated event changes nothing, in the same request or in another")
    func duplicates() async throws {
        try await TestServer.run { server async throws in
            let body = "[\(response(1)),\(response(1)),\(event("arrival", 1)),\(event("arrival", 1))]"
            #expect(try await server.post(body).counts == [2, 2, 0])
            #expect(try await server.post(body).counts == [0, 4, 0])
        }
        #expect(try await measure("accepted") == 1)
        #expect(try await measure("arrived") == 1)
    }

    @Test("a click before the arrival before the response counts the same as in order")
    func outOfOrder() async throws {
        try await TestServer.run { server async throws in
            #expect(try await server.post(event("click", 1)).counts == [1, 0, 0])
            #expect(try await server.post(event("arrival", 1)).counts == [1, 0, 0])
            let unmatched = "SELECT coalesce(sum(unmatched), 0)::bigint FROM public.counted"
            #expect(try await TestDatabase.current.count(unmatched) == 1)
            #expect(try await measure("clicked") == 0)
            #expect(try await server.post(response(1)).counts == [1, 0, 0])
            #expect(try await TestDatabase.current.count(unmatched) == 0)
        }
        #expect(try await measure("clicked") == 1)
        #expect(try await measure("arrived") == 1)
        #expect(try await measure("confirmed_unreported") == 0)
    }

    @Test("acceptance beats rejection, whichever comes first")
    func acceptanceBeatsRejection() async throws {
        try await TestServer.run { server async throws in
            for (first, second) in [(429, 200), (200, 429)] {
                let number = first
                #expect(try await server.post(response(number, status: first)).counts == [1, 0, 0])
                #expect(try await server.post(response(number, status: second)).counts == [1, 0, 0])
            }
        }
        #expect(try await measure("attempted") == 2)
        #expect(try await measure("accepted") == 2)
        #expect(try await measure("rejected_throttled") == 0)
    }

    @Test("of two rejections the more final class counts, in either order, and the conflict is counted")
    func conflictingRejections() async throws {
        try await TestServer.run { server async throws in
            for (number, statuses) in [(1, [429, 410]), (2, [410, 429])] {
                for status in statuses { _ = try await server.post(response(number, status: status)) }
            }
        }
        #expect(try await measure("rejected_token_dead") == 2)
        #expect(try await measure("rejected_throttled") == 0)
        #expect(try await measure("conflicting") == 2)
    }

    @Test("valid items of a batch are recorded, invalid ones are named and kept")
    func mixedBatch() async throws {
        try await TestServer.run { server async throws in
            let body = """
                [\(response(1)), {"type":"arrival"}, {broken}, \(event("arrival", 1)), 7,
                 {"type":"teleport","notification_id":"\(notificationID(1))"}]
                """
            let response = try await server.post(body)
            #expect(response.status == 200)
            #expect(response.counts == [2, 0, 4])
            #expect(
                response.itemErrors == [
                    "1:missing_notification_id", "2:invalid_json", "4:invalid_json", "5:unknown_type",
                ])
        }
        #expect(try await TestDatabase.current.count("SELECT count(*) FROM landfall.quarantined_item") == 4)
        #expect(try await measure("arrived") == 1)
    }

    @Test(
        "invalid items carry the contract's code, and an invalid single object is a 422",
        arguments: [
            (#"{"notification_id":"ID"}"#, "unknown_type"),
            (#"{"type":5,"notification_id":"ID"}"#, "unknown_type"),
            (#"{"type":"arrival","notification_id":"undefined"}"#, "invalid_notification_id"),
            (#"{"type":"arrival","notification_id":true}"#, "invalid_notification_id"),
            (
                #"{"type":"response","notification_id":"6F9619FF-8B86-4011-B42D-00CF4FC964FF","provider":"apns","status":200,"token":"aa"}"#,
                "missing_sent_at"
            ),
            (
                #"{"type":"response","notification_id":"ID","provider":"apns","status":200,"token":"aa","sent_at":"yesterday"}"#,
                "invalid_instant"
            ),
            (
                #"{"type":"response","notification_id":"ID","provider":"apns","status":200,"token":"aa","sent_at":1771990000}"#,
                "invalid_instant"
            ),
            (#"{"type":"response","notification_id":"ID","provider":"apns","status":200}"#, "missing_token"),
            (#"{"type":"response","notification_id":"ID","provider":"apns","token":"aa"}"#, "invalid_status"),
            (
                #"{"type":"response","notification_id":"ID","provider":"apns","status":"two","token":"aa"}"#,
                "invalid_status"
            ),
            (
                #"{"type":"response","notification_id":"ID","provider":"apns","status":-1,"token":"aa"}"#,
                "invalid_status"
            ),
            (
                #"{"type":"response","notification_id":"ID","provider":"apns","status":200,"token":"xyz"}"#,
                "invalid_token"
            ),
            (
                #"{"type":"response","notification_id":"ID","provider":"apns","status":200,"token":""}"#,
                "invalid_token"
            ),
            (#"{"type":"response","notification_id":"ID","status":200,"token":"aa"}"#, "invalid_field"),
            (
                #"{"type":"response","notification_id":"ID","provider":"apns_sandbox","status":200,"token":"aa","environment":"production"}"#,
                "invalid_field"
            ),
            (#"{"type":"arrival","notification_id":"ID","app_version":"7"} {"#, ""),
            (#"{"type":"recall","notification_id":"00000000-0000-7000-8000-000000000000"}"#, "too_old"),
            (#"{"type":"recall","notification_id":"ffffffff-ffff-7000-8000-000000000000"}"#, "in_future"),
            (#"{"type":"cli\u0000ck","notification_id":"ID"}"#, "invalid_field"),
        ])
    func codes(item: String, code: String) async throws {
        try await TestServer.run { server async throws in
            let response = try await server.post(item.replacingOccurrences(of: "ID", with: notificationID(1)))
            #expect(response.status == (code.isEmpty ? 400 : 422))
            #expect(response.code == (code.isEmpty ? "invalid_json" : code))
            #expect(response.contentType == "application/problem+json")
        }
        #expect(
            try await TestDatabase.current.count("SELECT count(*) FROM landfall.quarantined_item")
                == (code.isEmpty ? 0 : 1))
    }

    @Test("an impossible time is ignored, whatever the device's clock says")
    func impossibleTimes() async throws {
        try await TestServer.run { server async throws in
            let device = UUID()
            #expect(try await server.put(device, "{}").status == 200)
            let times = [
                (-62_135_596_800_000, 253_402_300_799_999), (253_402_300_799_999, -62_135_596_800_000),
            ]
            for (number, (occurredAt, reportedAt)) in times.enumerated() {
                let response = try await server.post(
                    #"{"type":"arrival","notification_id":"\#(notificationID(number))","device_id":"\#(device)","#
                        + #""occurred_at":\#(occurredAt),"reported_at":\#(reportedAt)}"#)
                #expect(response.counts == [1, 0, 0])
            }
        }
    }

    @Test("small bodies that claim millions of items are cut off")
    func manyEmptyItems() async throws {
        try await TestServer.run { server async throws in
            let commas = [UInt8](repeating: UInt8(ascii: ","), count: 1_000_000)
            let response = try await server.post(Array("[".utf8) + commas + Array("]".utf8))
            #expect(response.status == 413)
            #expect(response.code == "too_many_items")
            let lines = String(repeating: "0\n", count: 500_000)
            let ndjson = try await server.post(lines, headers: [.contentType: "application/x-ndjson"])
            #expect(ndjson.code == "too_many_items")
        }
    }

    @Test("an item that is too long is rejected alone and kept in part")
    func longItem() async throws {
        try await TestServer.run { server async throws in
            let filler = String(repeating: "x", count: 70_000)
            let response = try await server.post("[\(response(1)),{\"filler\":\"\(filler)\"}]")
            #expect(response.counts == [1, 0, 1])
            #expect(response.itemErrors == ["1:too_long"])
        }
        let kept = try await TestDatabase.current.count(
            "SELECT max(length(sealed_text))::bigint FROM landfall.quarantined_item")
        #expect(kept < 66_000)
    }

    @Test("an installation with the longest possible description does not stop other responses")
    func longestTraits() async throws {
        let long = (0..<255).map { String(UnicodeScalar(0x4E00 + $0 * 7) ?? "x") }.joined()
        try await TestServer.run { server async throws in
            let registration = """
                {"platform":"\(long)","app_version":"\(long)","os_version":"\(long)","language":"\(long)",
                 "tokens":[{"value":"\(tokenValue(1))","topic":"com.example.shop"}]}
                """
            #expect(try await server.put(UUID(), registration).status == 200)
            #expect(try await server.post("[\(response(1)),\(response(2))]").counts == [2, 0, 0])
        }
    }

    @Test("a label beyond its limit is left out, a token beyond its limit is too long")
    func tooLong() async throws {
        try await TestServer.run { server async throws in
            let long = String(repeating: "x", count: 256)
            let left = try await server.post(response(2, #","variant":"\#(long)""#))
            #expect(
                left.counts == [1, 0, 0] && left.warnings.contains { $0.hasPrefix("unread_field: variant") })
            let token = String(repeating: "ab", count: 1_025)
            let body = response(1).replacingOccurrences(of: tokenValue(1), with: token)
            #expect(try await server.post(body).code == "too_long")
            #expect(
                try await server.post(response(1, #","variant":"\#(long.dropLast())""#)).counts == [1, 0, 0])
        }
    }

    @Test(
        "a body that is not JSON, empty, too long or badly packed is rejected as a whole, and the server continues"
    )
    func badBodies() async throws {
        // Some of these end their connection; this client opens another.
        try await TestServer.run { server async throws in
            for body in ["", "   ", "hello", "[1,2", #"{"type":"arrival""#, "[] []"] {
                let response = try await server.post(body)
                #expect(response.status == 400, "\(body)")
                #expect(response.code == "invalid_json", "\(body)")
            }
            let many = try await server.post(
                "[" + Array(repeating: "1", count: 10_001).joined(separator: ",") + "]")
            #expect(many.status == 413)
            #expect(many.code == "too_many_items")
            #expect(try await server.post("[]", headers: [.contentEncoding: "br"]).status == 415)
            #expect(try await server.post(response(1)).counts == [1, 0, 0])
        }
    }

    @Test("a body beyond the limit is rejected, and a client that sent it anyway can read why")
    func largeBody() async throws {
        // The server discards the rest for two seconds. All of it is in the sockets' buffers by then.
        try await TestServer.run(configure: { $0.limits.bodyBytes = 64 * 1_024 }) { server async throws in
            let large = try await server.post([UInt8](repeating: 0x20, count: 128 * 1_024))
            #expect(large.status == 413)
            #expect(large.code == "body_too_large")
        }
    }

    @Test("gzip is unpacked; what only claims to be gzip, or unpacks to too much, is rejected")
    func gzip() async throws {
        try await TestServer.run { server async throws in
            let packed = try await server.post(
                try Gzip.packed(Array(response(1).utf8)), headers: [.contentEncoding: "gzip"])
            #expect(packed.counts == [1, 0, 0])
        }
        let bomb = try Gzip.packed([UInt8](repeating: 0x20, count: 64 * 1_024 * 1_024))
        let cases = [
            ("gzip", Array("[]".utf8), 400, "invalid_encoding"), ("gzip", bomb, 413, "body_too_large"),
            ("deflate", Array("[]".utf8), 415, "unsupported_encoding"),
            ("gzip, gzip", Array("[]".utf8), 415, "unsupported_encoding"),
        ]
        for (number, (encoding, body, status, code)) in cases.enumerated() {
            // The server ends a connection whose body it cannot unpack, so each gets a client of its own.
            try await TestServer.run(app: "app\(number)") { server async throws in
                let response = try await server.post(body, headers: [.contentEncoding: encoding])
                #expect(response.status == status)
                #expect(response.code == code)
            }
        }
    }

    @Test("a request without the right to it is rejected: no key, an unknown one, the wrong kind")
    func keys() async throws {
        try await TestServer.run { server async throws in
            let missing = try await server.send(.post, "/v1/events", Array("[]".utf8), as: nil)
            #expect(missing.status == 401)
            let unknown = try await server.send(
                .post, "/v1/events", Array("[]".utf8), as: nil,
                headers: [.authorization: "Bearer lf_server_unknown"])
            #expect(unknown.status == 401)
            #expect(unknown.body == missing.body)
            #expect(try await server.post("[]", as: .report).status == 403)
            let mixed = try await server.post("[\(response(1)),\(event("arrival", 1))]", as: .device)
            #expect(mixed.counts == [1, 0, 1])
            #expect(mixed.itemErrors == ["0:forbidden_type"])
        }
    }

    @Test("another app's key cannot change a row, not even by naming its notification")
    func otherApp() async throws {
        try await TestServer.run { server async throws in
            _ = try await server.post(response(1))
            let (other, keys) = try await TestServer.makeApp("other")
            let response = try await server.with(keys: keys, app: other).post(event("click", 1))
            #expect(response.counts == [1, 0, 0])
        }
        #expect(try await measure("clicked") == 0)
        #expect(try await TestDatabase.current.count("SELECT count(*) FROM landfall.delivery") == 2)
    }

    @Test("an unknown path is a problem document too")
    func unknownPath() async throws {
        try await TestServer.run { server async throws in
            let response = try await server.send(.get, "/nothing", as: nil)
            #expect(response.status == 404)
            #expect(response.contentType == "application/problem+json")
            #expect(try await server.send(.get, "/healthz", as: nil).status == 200)
            #expect(try await server.send(.get, "/readyz", as: nil).status == 200)
        }
    }

    @Test("many concurrent requests are grouped, and each gets its own verdicts")
    func concurrentRequests() async throws {
        try await TestServer.run { server async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for lane in 0..<8 {
                    group.addTask {
                        for number in lane * 25 + 1...lane * 25 + 25 {
                            let response = try await server.post(
                                "[\(response(number)),\(event("arrival", number)),{}]")
                            #expect(response.counts == [2, 0, 1])
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(try await measure("arrived") == 200)
    }
}
