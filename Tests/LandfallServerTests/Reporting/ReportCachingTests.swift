import Access
import Basics
import Foundation
import HTTPTypes
import Reports
import TestDatabase
import Testing

@testable import LandfallServer

@Suite("Conditional requests for reports", .database) struct ReportCachingTests {
    private let day = Instant.now.startOfUTCDay - .days(5)

    private func response(_ number: Int) -> String {
        let id = notificationID(number, at: day + .hours(10))
        return """
            {"type":"response","notification_id":"\(id)","provider":"apns","status":200,"token":"\(tokenValue(number))"}
            """
    }

    /// A push that arrived, and one that was rejected: together they change every report.
    private func pushes(_ number: Int) -> String {
        let arrived = notificationID(number, at: day + .hours(10))
        let rejected = notificationID(number + 100, at: day + .hours(10))
        return """
            [\(response(number)),
            {"type":"arrival","notification_id":"\(arrived)","occurred_at":"\((day + .hours(11)).rfc3339)"},
            {"type":"response","notification_id":"\(rejected)","provider":"apns","status":413,"reason":"PayloadTooLarge",
             "token":"\(tokenValue(number + 100))"}]
            """
    }

    private func date(_ instant: Instant) -> String { String(instant.rfc3339.prefix(10)) }

    private func ask(_ query: String, _ tag: String? = nil, on server: TestServer) async throws -> Response {
        let headers: HTTPFields = tag.map { [.ifNoneMatch: $0] } ?? [:]
        return try await server.send(.get, "/v1/reports/\(query)", as: .report, headers: headers)
    }

    @Test(
        "get the report again only if one of its numbers has changed",
        arguments: ["funnel", "clicks", "reach", "loss", "rejections", "latency"])
    func tags(report: String) async throws {
        let query = "\(report)?from=\(date(day))&to=\(date(day + .days(1)))"
        try await TestServer.run { server async throws in
            _ = try await server.post(pushes(1))
            let first = try await ask(query, on: server)
            let tag = try #require(first.headers[.eTag])
            #expect(tag.hasPrefix("W/\""))
            #expect(first.headers[.vary] == "Authorization")
            for known in [tag, String(tag.dropFirst(2)), "\"other\", \(tag)", "*"] {
                let again = try await ask(query, known, on: server)
                #expect(again.status == 304)
                #expect(again.body.isEmpty)
                #expect(again.headers[.eTag] == tag)
                #expect(again.headers[.cacheControl] == first.headers[.cacheControl])
            }
            #expect(try await ask(query, "\"other\"", on: server).status == 200)
            #expect(try await ask(query + "&by=day", tag, on: server).status == 200)
            _ = try await server.post(pushes(2))
            let changed = try await ask(query, tag, on: server)
            #expect(changed.status == 200)
            #expect(changed.headers[.eTag] != tag)
        }
    }

    @Test("get today again only if one of its numbers has changed, whenever the tokens were counted")
    func today() async throws {
        try await TestServer.run { server async throws in
            let first = try await ask("today?tz=Asia/Kathmandu", on: server)
            #expect(first.text.components(separatedBy: #""as_of""#).count == 3)
            #expect(first.headers[.cacheControl] == "private, no-cache")
            let tag = try #require(first.headers[.eTag])
            #expect(try await ask("today?tz=Asia/Kathmandu", tag, on: server).status == 304)
            _ = try await server.put(UUID(), registration(tokenValue(1)))
            #expect(try await ask("today?tz=Asia/Kathmandu", tag, on: server).status == 200)
        }
    }

    @Test("only a window that has ended, and will be the same tomorrow, may be cached without revalidation")
    func freshness() async throws {
        let (past, today) = (date(day), date(.now))
        let closed = "private, max-age=3600"
        let open = "private, no-cache"
        let cases: [(query: String, expected: String)] = [
            ("from=\(past)&to=\(date(day + .days(1)))", closed),
            ("from=\(past)&to=\(date(day + .days(1)))&compare=previous", closed),
            ("from=\(past)&to=\(date(day + .days(1)))&compare=\(today)", open),
            ("from=\(past)&to=\(today)", open), ("from=\(past)", open), ("", open),
            ("from=6d&to=4d", open), ("from=\(past)&to=72h", open),
        ]
        try await TestServer.run { server async throws in
            for (query, expected) in cases {
                let response = try await ask("funnel?\(query)", on: server)
                #expect(response.headers[.cacheControl] == expected, "\(query)")
            }
            // Its audience is the present one, whatever the window.
            let reach = try await ask("reach?from=\(past)&to=\(date(day + .days(1)))", on: server)
            #expect(reach.headers[.cacheControl] == open)
            let tokens = try await ask("tokens?from=\(past)&to=\(date(day + .days(1)))", on: server)
            #expect(tokens.headers[.cacheControl] == closed)
        }
    }

    @Test("HEAD returns what GET does, without the report")
    func head() async throws {
        let path = "/v1/reports/funnel?from=\(date(day))&to=\(date(day + .days(1)))"
        try await TestServer.run { server async throws in
            let whole = try await server.send(.get, path, as: .report)
            let head = try await server.send(.head, path, as: .report)
            #expect(head.status == 200)
            #expect(head.body.isEmpty)
            #expect(head.headers[.eTag] == whole.headers[.eTag])
        }
    }
}
