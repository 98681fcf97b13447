#if os(Linux)
    import Foundation
    import Testing

    @testable import LandfallCore

    /// A server, or a network that pretends to be one, that sends uploads elsewhere.
    @Suite(.timeLimit(.minutes(5))) struct RedirectTests {
        /// The server at the other address claims to have recorded everything.
        private static func thief() throws -> LoopbackServer {
            try LoopbackServer { request in
                let items = try? JSONSerialization.jsonObject(with: request.body) as? [Any]
                return .init(response: .recorded(items?.count ?? 1))
            }
        }

        private static func redirector(_ status: Int, to place: URL) throws -> LoopbackServer {
            try LoopbackServer { _ in
                .init(
                    response: Response(status: status),
                    headers: ["Location": place.absoluteString + "/v1/events"])
            }
        }

        @Test(
            "is not followed: the events stay, and no one else gets the key",
            arguments: [301, 302, 303, 307, 308])
        func events(_ status: Int) async throws {
            let folder = try TemporaryFolder()
            let spool = Spool(folder: folder.url.appendingPathComponent("v1"), isShared: true)
            let thief = try Self.thief()
            let server = try Self.redirector(status, to: thief.url)
            let recorder = Recorder(
                Configuration(url: server.url, key: "lf_device_a"), spool: spool,
                identity: Identity(SecretFiles(folder: folder.url)), transport: SessionTransport())
            recorder.record(try #require(recorder.event(.arrival, of: payload(1))))
            #expect(await recorder.upload(within: 60) == .waiting)
            #expect(spool.files().count == 1)
            #expect(server.received.map(\.path) == ["/v1/events"])
            #expect(server.received.first?.headers["authorization"] == "Bearer lf_device_a")
            #expect(thief.received.isEmpty)
        }

        @Test("is not followed to another path of the same server, where a post would become a GET")
        func samePlace() async throws {
            let server = try LoopbackServer { request in
                request.path == "/v1/events"
                    ? .init(response: Response(status: 302), headers: ["Location": "/sign-in"])
                    : .init(response: .recorded(1))
            }
            let request = Request(
                "POST", server.url.appendingPathComponent("v1/events"), body: Data("[]".utf8))
            let response = await SessionTransport().send(request, within: 60)
            #expect(response?.status == 302)
            #expect(server.received.map(\.path) == ["/v1/events"])
        }
    }
#endif
