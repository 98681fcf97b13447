import Access
import Foundation
import HTTPTypes
import TestDatabase
import Testing

@testable import LandfallServer

/// A parameter that is not known is rejected by every operation: a misspelled filter would select everything.
@Suite("Query parameters", .database, .timeLimit(.minutes(40))) struct UnknownParameterTests {
    private func key(_ path: String) -> APIKey.Kind? {
        guard path.hasPrefix("/v1/") else { return nil }
        return path.hasPrefix("/v1/reports/") ? .report : .server
    }

    @Test("every operation of the description rejects a parameter that it does not know")
    func everyOperation() async throws {
        let operations = try OpenAPIDocument().operations
        #expect(operations.count > 15)
        try await TestServer.run { server in
            for operation in operations {
                let words = operation.split(separator: " ").map(String.init)
                let path = words[1].replacing("{device_id}", with: UUID().uuidString)
                    .replacing("{preset}", with: "gorush")
                let method = try #require(HTTPRequest.Method(words[0]))
                for query in ["acount=nobody", "x", "%61cc=", "From=7d"] {
                    let response = try await server.send(method, "\(path)?\(query)", as: key(path))
                    #expect(response.status == 400, "\(operation) \(query)")
                    #expect(response.code == "unknown_parameter", "\(operation) \(query)")
                }
            }
        }
    }

    @Test(
        "the error names the closest known parameter, and all of them",
        arguments: [
            (
                "/v1/tokens?acount=nobody",
                "'acount' (did you mean 'account'?). It accepts state, account, tag, cursor"
            ),
            (
                "/v1/token-changes?aftr=1",
                "'aftr' (did you mean 'after'?). It accepts after, proof, limit, wait"
            ),
            ("/healthz?verbose=1", "this request does not accept 'verbose'. It accepts no parameters"),
        ])
    func hint(path: String, detail: String) async throws {
        try await TestServer.run { server in
            let response = try await server.send(.get, path, as: path.hasPrefix("/v1") ? .server : nil)
            #expect(response.text.contains(detail), "\(response.text)")
        }
    }

    @Test("a post with a parameter records nothing, whether its key is known yet or not")
    func posts() async throws {
        try await TestServer.run { server in
            let event = """
                {"type":"response","notification_id":"\(notificationID(1))","provider":"apns","status":200,\
                "token":"\(tokenValue(1))"}
                """
            for _ in 0..<2 {
                let response = try await server.send(
                    .post, "/v1/events?dry_run=true", Array(event.utf8), as: .server)
                #expect(response.code == "unknown_parameter")
            }
            #expect(try await server.post(event).counts == [1, 0, 0])
        }
    }

    @Test("a parameter that is given twice, and a filter without a value, are mistakes as well")
    func twice() async throws {
        try await TestServer.run { server in
            for query in ["limit=1&limit=2", "account=anna&account=ben", "account=&account=ben"] {
                let response = try await server.send(.get, "/v1/tokens?\(query)", as: .server)
                #expect(response.code == "invalid_parameter", "\(query)")
            }
            for query in ["account=", "account", "tag="] {
                let response = try await server.send(.get, "/v1/tokens?\(query)", as: .server)
                #expect(response.status == 422, "\(query)")
            }
            #expect(try await server.send(.get, "/v1/tokens?cursor=&state=", as: .server).status == 200)
        }
    }
}
