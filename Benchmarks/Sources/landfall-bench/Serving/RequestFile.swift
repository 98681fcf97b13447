internal import Foundation

/// Ready-made HTTP requests in the file that `drive.lua` reads. A line with the length precedes each request.
struct RequestFile: Sendable {
    let url: URL

    /// Writes one `POST /v1/events` per body.
    init(_ bodies: [PostedBody], key: String, at url: URL) throws {
        self.url = url
        var bytes: [UInt8] = []
        bytes.reserveCapacity(bodies.reduce(0) { $0 + $1.bytes.count + 240 })
        for body in bodies { Self.append(Self.request(body, key: key), to: &bytes) }
        try Data(bytes).write(to: url)
    }

    /// Writes one `PUT /v1/devices/…` per device.
    init(registering devices: [BenchDevice], key: String, at url: URL) throws {
        self.url = url
        var bytes: [UInt8] = []
        for device in devices {
            let body =
                #"{"platform":"ios","app_version":"\#(device.appVersion)","permission":"authorized","#
                + #""tokens":[{"value":"\#(device.token)","topic":"\#(BenchDevice.topic)"}]}"#
            let path = "/v1/devices/\(device.deviceID.uuidString.lowercased())"
            Self.append(Self.request("PUT", path, PostedBody(single: body), key: key), to: &bytes)
        }
        try Data(bytes).write(to: url)
    }

    /// Writes a request for which the server has nothing to do.
    init(noOpAt url: URL) throws {
        self.url = url
        var bytes: [UInt8] = []
        Self.append(Array("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8), to: &bytes)
        try Data(bytes).write(to: url)
    }

    private static func request(_ body: PostedBody, key: String) -> [UInt8] {
        request("POST", "/v1/events", body, key: key)
    }

    private static func request(_ method: String, _ path: String, _ body: PostedBody, key: String) -> [UInt8]
    {
        let head =
            "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(key)\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(body.bytes.count)\r\n\r\n"
        return Array(head.utf8) + body.bytes
    }

    private static func append(_ request: [UInt8], to bytes: inout [UInt8]) {
        bytes += "\(request.count)\n".utf8
        bytes += request
    }
}
