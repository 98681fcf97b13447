import LandfallServer
import TestDatabase
import Testing

@Suite(.database) struct AdminListenerTests {
    @Test("the port for administration serves health checks and metrics, and nothing else")
    func routes() async throws {
        try await ServedApplication.run { served async throws in
            for path in ["/healthz", "/readyz", "/metrics"] {
                #expect(try await served.getFromAdmin(path).status == 200)
            }
            for path in ["/v1/events", "/openapi.yaml", "/metrics/"] {
                #expect(try await served.getFromAdmin(path).status == 404)
            }
        }
    }

    @Test("metrics are then only there, health checks on both ports")
    func metrics() async throws {
        try await ServedApplication.run { served async throws in
            #expect(try await served.get("/metrics").status == 404)
            #expect(try await served.get("/healthz").status == 200)
            #expect(try await served.get("/readyz").status == 200)
        }
    }
}
