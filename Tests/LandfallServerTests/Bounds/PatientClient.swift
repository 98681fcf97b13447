import AsyncHTTPClient
import HTTPTypes
import NIOCore
import NIOHTTP1

/// A client that waits longer for responses than Hummingbird's own (15 s): along with all other tests on a
/// busy machine, a correct server may take longer. Up to eight connections.
struct PatientClient: Sendable {
    let port: Int

    /// A redirect is a response like any other.
    private static let client = {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.redirectConfiguration = .disallow
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    private static let patience = TimeAmount.seconds(80)

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: [UInt8], headers: HTTPFields
    ) async throws -> Response {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
        request.method = HTTPMethod(rawValue: method.rawValue)
        for field in headers { request.headers.add(name: field.name.rawName, value: field.value) }
        request.body = .bytes(body)
        let response = try await Self.client.execute(request, deadline: .now() + Self.patience)
        var fields: HTTPFields = [:]
        for (name, value) in response.headers {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        let bytes = try await response.body.collect(upTo: 1 << 26)
        return Response(
            status: Int(response.status.code), headers: fields, body: Array(bytes.readableBytesView))
    }
}
