import Access
import DeliveryModel
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Synchronization
import TestDatabase
import Testing

@testable import LandfallServer

/// The metrics, logs and request ids of the running server.
@Suite(.database) struct ObservationTests {
    private func response(_ number: Int) -> String {
        """
        {"type":"response","notification_id":"\(notificationID(number))","provider":"apns","status":200,\
        "token":"\(tokenValue(number))"}
        """
    }

    private func metrics(_ server: TestServer) async throws -> [String] {
        let response = try await server.send(.get, "/metrics", as: nil)
        #expect(response.status == 200)
        #expect(response.contentType == "text/plain; version=0.0.4; charset=utf-8")
        return response.text.split(separator: "\n").map(String.init)
    }

    /// A line of a metric that each cell has of its own.
    private func ofCell(_ line: String) -> String {
        guard TestDatabase.hasSeveralCells else { return line }
        let label = "{cell=\"\(TestDatabase.cell)\""
        return line.contains("{")
            ? line.replacing("{", with: "\(label),") : line.replacing(" ", with: "\(label)} ")
    }

    @Test(
        "/metrics counts events by type and verdict, rejections by code, batches, and requests by route template"
    )
    func counts() async throws {
        try await TestServer.run { server async throws in
            let click = #"{"type":"click","notification_id":"\#(notificationID(1))"}"#
            let body = "[\(response(1)),\(click),\(click),{\"type\":\"nothing\"}]"
            #expect(try await server.post(body).counts == [2, 1, 1])
            let device = UUID()
            #expect(try await server.put(device, #"{"platform":"ios","tokens":[]}"#).status == 200)
            #expect(try await server.send(.get, "/v1/secret/path", as: nil).status == 404)

            let lines = try await metrics(server)
            for expected in [
                "landfall_events_received_total 4",
                #"landfall_events_total{type="response",verdict="accepted"} 1"#,
                #"landfall_events_total{type="click",verdict="accepted"} 1"#,
                #"landfall_events_total{type="click",verdict="duplicate"} 1"#,
                #"landfall_events_total{type="unknown",verdict="rejected"} 1"#,
                #"landfall_events_total{type="dismissal",verdict="accepted"} 0"#,
                #"landfall_events_rejected_total{code="unknown_type"} 1"#,
                ofCell("landfall_batch_events_sum 4"),
                ofCell("landfall_batch_write_seconds_count 1"),
                ofCell("landfall_queue_events 0"),
                ofCell("landfall_queue_bytes 0"),
                "landfall_overloaded_total 0",
                "landfall_connections 1",
                #"landfall_http_requests_total{method="POST",route="/v1/events",status="200"} 1"#,
                #"landfall_http_requests_total{method="PUT",route="/v1/devices/{device_id}",status="200"} 1"#,
                #"landfall_http_requests_total{method="GET",route="unmatched",status="404"} 1"#,
                #"landfall_http_request_seconds_count{route="/v1/events"} 1"#,
                ofCell(#"landfall_database_connections{pool="ingestion",state="idle"} 1"#),
                #"landfall_build_info{version="\#(LandfallVersion.current)"} 1"#,
            ] {
                #expect(lines.contains(expected), "\(expected)")
            }
            #expect(!lines.contains { $0.contains(device.uuidString.lowercased()) || $0.contains("secret") })
        }
    }

    @Test("/metrics is rendered once for all clients within its lifetime", arguments: [0, 3_600])
    func lifetime(seconds: Int) async throws {
        try await TestServer.run(configure: { $0.metricsLifetime = .seconds(seconds) }) {
            server async throws in
            let first = try await metrics(server)
            #expect(first.contains("landfall_events_received_total 0"))
            #expect(try await server.post("[\(response(1))]").counts == [1, 0, 0])
            let second = try await metrics(server)
            #expect((second == first) == (seconds > 0))
            #expect(second.contains("landfall_events_received_total 1") == (seconds == 0))
        }
    }

    @Test("a request rejected before it reaches a route is counted, and has a request id")
    func rejectedEarly() async throws {
        try await TestServer.run { server async throws in
            for text in ["hello\r\n\r\n", "POST /v1/events HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n"] {
                try await RawConnection.open(server) { connection in
                    try await connection.send(text)
                    let response = try await connection.response()
                    #expect(response.headers["x-request-id"]?.isEmpty == false)
                }
            }
            let lines = try await metrics(server)
            for expected in [
                #"landfall_http_requests_total{method="other",route="unmatched",status="400"} 1"#,
                #"landfall_http_requests_total{method="POST",route="unmatched",status="413"} 1"#,
            ] {
                #expect(lines.contains(expected), "\(expected)")
            }
            #expect(!lines.contains { $0.contains(#"route="/v1/events""#) })
        }
    }

    @Test("database errors are counted by SQLSTATE")
    func databaseErrors() async throws {
        try await TestDatabase.current.execute("ALTER TABLE landfall.delivery RENAME TO hidden")
        try await TestServer.run { server async throws in
            #expect(try await server.post("[\(response(1))]").status == 500)
            let lines = try await metrics(server)
            #expect(lines.contains(ofCell(#"landfall_database_errors_total{sqlstate="42P01"} 1"#)))
            #expect(
                lines.contains(
                    #"landfall_http_requests_total{method="POST",route="/v1/events",status="500"} 1"#))
            #expect(lines.contains(ofCell("landfall_queue_events 0")))
        }
    }

    @Test("promtool finds no problem in /metrics")
    func promtool() async throws {
        try await TestServer.run { server async throws in
            _ = try await server.post("[\(response(1)),{}]")
            let text = try await server.send(.get, "/metrics", as: nil).text
            let (status, complaints) = try Promtool.check(text)
            #expect(status == 0)
            #expect(complaints.isEmpty)
        }
    }

    @Test("each response carries a request id: the caller's own, or a new one")
    func requestID() async throws {
        try await TestServer.run { server async throws in
            let name = try #require(HTTPField.Name("X-Request-ID"))
            let own = try await server.send(.get, "/healthz", as: nil, headers: [name: "trace-1"])
            #expect(own.headers[name] == "trace-1")
            let odd = try await server.send(.get, "/healthz", as: nil, headers: [name: "a b"])
            #expect(odd.headers[name].map { $0 != "a b" && $0.count >= 16 } == true)
            let wrong = try await server.send(.get, "/v1/nothing", as: nil)
            #expect(wrong.headers[name] != odd.headers[name])
            #expect(wrong.headers[name]?.isEmpty == false)
        }
    }

    @Test(
        "the access log names route, status, key and request, and neither path, query, header values nor keys"
    )
    func accessLog() async throws {
        let log = try await logged { server async throws in
            let name = try #require(HTTPField.Name("X-Request-ID"))
            let response = try await server.send(
                .delete, "/v1/devices/\(UUID())/tokens?password=hunter2", as: .device,
                headers: [name: "trace-7", .userAgent: "curious"])
            #expect(response.status == 400)
        }
        let line = try #require(log.split(separator: "\n").first { $0.contains("trace-7") })
        #expect(line.contains("route=/v1/devices/{device_id}/tokens"))
        #expect(line.contains("status=400"))
        #expect(line.contains("method=DELETE"))
        #expect(line.firstMatch(of: /key_id=\d+/) != nil)
        for secret in ["hunter2", "curious", "lf_device", "password"] { #expect(!log.contains(secret)) }
    }

    /// Returns what a server with an access log writes meanwhile.
    private func logged(_ body: @escaping @Sendable (TestServer) async throws -> Void) async throws -> String
    {
        let written = Mutex("")
        let lines = Logger(label: "test") { label in
            LineLogHandler(label: label, isJSON: false) { line in written.withLock { $0 += line } }
        }
        try await TestServer.run(configure: { $0.logging.access = .on }, logger: lines, body)
        return written.withLock { $0 }
    }

    @Test(
        "half a body is counted and logged once, under the request id of its response, on either path",
        .timeLimit(.minutes(40)),
        arguments: ["Content-Length: 10", "Transfer-Encoding: chunked"])
    func halfBody(field: String) async throws {
        let responded = Mutex("")
        let log = try await logged { server async throws in
            // From now on small posts with this key take the `EventLane`.
            #expect(try await server.post("[]").status == 200)
            let half = server.head("POST /v1/events", field) + "\r\n3\r\n["
            try await RawConnection.open(server) { connection in
                try await connection.send(half)
                connection.finish()
                let response = try await connection.response()
                #expect(response.status == 400)
                responded.withLock { $0 = response.headers["x-request-id"] ?? "" }
            }
            // This one does not wait for a response.
            try await RawConnection.open(server) { connection in try await connection.send(half) }
            let counted =
                #"landfall_http_requests_total{method="POST",route="/v1/events",status="400"} 2"#
            while try await metrics(server).contains(counted) == false { await Task.yield() }
        }
        let lines = log.split(separator: "\n").filter { $0.contains("status=400") }
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { $0.contains("route=/v1/events") })
        #expect(lines.filter { $0.contains("request_id=" + responded.withLock { $0 }) }.count == 1)
    }
}
