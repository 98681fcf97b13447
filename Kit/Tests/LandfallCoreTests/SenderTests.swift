import Foundation
import LandfallSender
import Testing

@testable import LandfallCore

@Suite(.timeLimit(.minutes(5))) struct SenderTests {
    @Test("responses are on disk at once, posted together, and kept while Landfall is away")
    func responses() async throws {
        let folder = try TemporaryFolder()
        let isUp = Locked(false)
        let network = Network { request, _ in isUp.use { $0 } ? .recorded(request.items.count) : nil }
        let url = try #require(URL(string: "https://push.example"))
        let recorder = ResponseRecorder(url: url, key: "lf_server_a", folder: folder.url, transport: network)
        for number in 0..<3 {
            var response = PushResponse(
                notificationID: id(number), provider: "apns", status: 410, token: "a0b1",
                sentAt: Date(timeIntervalSince1970: 1_772_000_000))
            response.reason = "Unregistered"
            response.timestamp = 1_771_990_000_000
            #expect(recorder.record(response))
        }
        #expect(await !recorder.flush())
        isUp.use { $0 = true }
        while await !recorder.flush() { await Task.yield() }
        let recorded = network.sent.filter { $0.items.count == 3 }.last
        let item = try #require(recorded?.items.first)
        #expect(item["type"] as? String == "response" && item["status"] as? Int == 410)
        #expect(
            item["timestamp"] as? Int64 == 1_771_990_000_000 && item["sent_at"] as? Int64 == 1_772_000_000_000
        )
        #expect(item["device_id"] == nil && item["reported_at"] == nil)
        #expect(Spool(folder: folder.url, isShared: true).files().isEmpty)
    }

    @Test("a provider's error is posted as it came, an object or a text")
    func errors() async throws {
        let folder = try TemporaryFolder()
        let network = Network.recordingAll()
        let url = try #require(URL(string: "https://push.example"))
        let recorder = ResponseRecorder(url: url, key: "lf_server_a", folder: folder.url, transport: network)
        for error in [#"{"error":{"status":"NOT_FOUND"}}"#, "push subscription has expired", "[1]"] {
            var response = PushResponse(messageID: "news-1", provider: "fcm", status: 404, token: "t")
            response.error = Data(error.utf8)
            #expect(recorder.record(response))
        }
        while await !recorder.flush() || network.items.count < 3 { await Task.yield() }
        let errors = network.items.compactMap { $0["error"] }
        #expect(errors.count { $0 is [String: Any] } == 1)
        #expect(Set(errors.compactMap { $0 as? String }) == ["push subscription has expired", "[1]"])
    }
}
