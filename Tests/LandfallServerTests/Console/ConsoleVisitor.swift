import AsyncHTTPClient
import DeliveryModel
import Foundation
import HTTPTypes
import NIOCore
import People
import PostgresClient
import TestDatabase
import Testing

/// A person with a browser that keeps its cookie, follows no redirect by itself, and runs no script.
struct ConsoleVisitor: Sendable {
    let port: Int
    /// `landfall=…`; empty before the sign-in.
    var cookie = ""

    init(_ server: TestServer) { port = server.port }

    /// A new person with a session.
    static func signedIn(
        _ server: TestServer, as role: Role = .admin, in app: App? = nil, name: String = "ada@example.com"
    ) async throws -> ConsoleVisitor {
        var visitor = ConsoleVisitor(server)
        let secret = try await TestDatabase.current.front.pool.withConnection { connection in
            let person = try PeopleDirectory.add(name, Grants(role, in: app), now: .now, on: connection)
                .person
            return try Sessions.begin(
                person, by: .link, address: "", userAgent: "", now: .now, on: connection)
        }
        visitor.cookie = "landfall=\(secret.text)"
        return visitor
    }

    /// A new admin who has chosen a passphrase, which takes about a second in debug builds.
    static func withPassphrase(_ server: TestServer) async throws -> ConsoleVisitor {
        let link = try await TestDatabase.current.front.pool.withConnection { connection in
            try PeopleDirectory.add("ada@example.com", Grants(.admin, in: nil), now: .now, on: connection)
                .link
        }
        var visitor = ConsoleVisitor(server)
        let response = try await visitor.post(
            link.path, ["passphrase": Self.passphrase, "again": Self.passphrase])
        #expect(response.status == 303)
        visitor.cookie = try #require(response.cookie)
        return visitor
    }

    static let passphrase = "correct horse battery"

    /// The page with its numbers: while they are counted, asks again.
    func get(_ path: String, headers: HTTPFields = [:]) async throws -> Response {
        for _ in 0..<100 {
            let response = try await send(.get, path, [], headers)
            guard response.text.contains("data-counting=") else { return response }
            try await Task.sleep(for: .milliseconds(100))
        }
        return try await send(.get, path, [], headers)
    }

    /// Sends a form as the console's own page would.
    func post(
        _ path: String, _ fields: [String: String], headers: HTTPFields? = nil
    ) async throws -> Response {
        var sent = headers ?? [:]
        if headers == nil, let name = HTTPField.Name("Sec-Fetch-Site") { sent[name] = "same-origin" }
        sent[.contentType] = "application/x-www-form-urlencoded"
        let allowed = CharacterSet.alphanumerics
        let body = fields.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")"
        }
        return try await send(.post, path, Array(body.joined(separator: "&").utf8), sent)
    }

    /// Sends a form with the token of the session.
    func act(_ path: String, _ fields: [String: String] = [:]) async throws -> Response {
        let page = try await get("/")
        let token = try #require(page.formToken)
        return try await post(path, fields.merging(["form_token": token]) { $1 })
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: [UInt8] = [], _ headers: HTTPFields = [:]
    ) async throws -> Response {
        var headers = headers
        if !cookie.isEmpty, headers[.cookie] == nil { headers[.cookie] = cookie }
        return try await PatientClient(port: port).send(method, path, body, headers: headers)
    }
}

extension Response {
    /// The name and value of the cookie that the response sets.
    var cookie: String? { headers[.setCookie].map { String($0.prefix { $0 != ";" }) } }
    var location: String? { headers[.location] }
    var formToken: String? {
        text.firstMatch(of: #/name="form_token" value="([^"]+)"/#).map { String($0.1) }
    }
}
