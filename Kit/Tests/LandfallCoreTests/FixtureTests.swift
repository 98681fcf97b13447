import Foundation
import LandfallSender
import Testing

@testable import LandfallApp
@testable import LandfallCore

/// Everything that the kit can post. The server's tests post the same files, and it must accept every item.
///
/// `LANDFALL_GOLDEN=write` writes the files anew.
@Suite struct FixtureTests {
    private static let time: Int64 = 1_772_000_000_000

    private func check(_ name: String, _ items: [[String: Any]]) throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Fixtures/\(name).json")
        let options: JSONSerialization.WritingOptions = [
            .prettyPrinted, .sortedKeys, .withoutEscapingSlashes,
        ]
        let bytes = try JSONSerialization.data(withJSONObject: items, options: options)
        if ProcessInfo.processInfo.environment["LANDFALL_GOLDEN"] == "write" { try bytes.write(to: file) }
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == String(decoding: try Data(contentsOf: file), as: UTF8.self))
    }

    @Test("events are those of the fixture")
    func events() throws {
        var events: [DeviceEvent] = []
        let kinds: [DeviceEvent.Kind] = [.arrival, .presentation, .click, .dismissal]
        for (number, kind) in kinds.enumerated() {
            let name = id(number)
            events.append(DeviceEvent(kind, .init(name: .notification(name)), at: Self.time))
            events.append(
                DeviceEvent(
                    kind, .init(name: .message(name), receipt: "q2sCbq0oSSt3cbFu8lE0Cw"), at: Self.time)
            )
            events[events.count - 1].isLocal = true
            events[events.count - 1].category = "order"
        }
        let payload = events[0].payload
        for evidence in [DeviceEvent.Evidence.extension, .center, .app] {
            events.append(DeviceEvent(.arrival, payload, at: Self.time))
            events[events.count - 1].evidence = evidence
        }
        for outcome in [DeviceEvent.Outcome.expired, .attachmentFailed] {
            events.append(DeviceEvent(.arrival, payload, at: Self.time))
            events[events.count - 1].outcome = outcome
        }
        for state in [DeviceEvent.AppState.foreground, .background, .terminated] {
            events.append(DeviceEvent(.click, payload, at: Self.time))
            events[events.count - 1].appState = state
            events[events.count - 1].action = "reply"
            events[events.count - 1].hasText = state == .background
        }
        // Ids that are not UUIDs are posted as the sender wrote them.
        for name in [NotificationName.notification("order-4711"), .message("projects/p/messages/0:17%Ä")] {
            events.append(DeviceEvent(.arrival, .init(name: name), at: Self.time))
        }
        // What recorder and uploader add.
        let items = events.map { event in
            event.item.merging([
                "kit": "0.1.0", "app_version": "7.1.0", "shared": false, "dropped": 3,
                "reported_at": Self.time + 1_000,
                "device_id": "018f3c2a-0000-4000-8000-000000000001",
            ]) { item, _ in item }
        }
        try check("events", items)
    }

    @Test("registrations are those of the fixture")
    func registrations() throws {
        var traits = DeviceTraits()
        traits.platform = "ios"
        traits.appVersion = "7.1.0"
        traits.osVersion = "18.1"
        traits.language = "zh-Hant"
        traits.timeZone = "Asia/Taipei"
        traits.model = "iPhone16,1"
        let empty = Registration(traits: traits)
        var full = empty
        full.missingCategories = ["order"]
        for (number, kind) in [Registration.TokenKind.alert, .voip, .liveActivityStart, .liveActivityUpdate]
            .enumerated()
        {
            full.add(
                .init(
                    Data(repeating: UInt8(number + 1), count: 32), kind: kind,
                    environment: number == 0 ? "sandbox" : "production", bundleID: "com.example.shop"))
        }
        full.add(.init(text: "fcm-token:APA91b"))
        full.permission = "provisional"
        full.settings = [
            "alert": true, "sound": false, "badge": true, "lock_screen": false, "notification_center": true,
        ]
        full.account = "u_42"
        full.tags = ["beta"]
        full.accountProof = "1772000000.q2sCbq0oSSt3cbFu8lE0Cw"
        var failed = empty
        failed.error = "NSCocoaErrorDomain 3000"
        failed.permission = "denied"
        failed.account = ""
        failed.tags = []
        try check(
            "registrations",
            [empty, full, failed].map { registration in
                var fields = registration.fields
                fields["kit"] = "0.1.0"
                return fields
            })
    }

    @Test("responses are those of the fixture")
    func responses() throws {
        let name = id(1)
        let sentAt = Date(timeIntervalSince1970: 1_772_000_000)
        let plain = PushResponse(
            notificationID: name, provider: "apns", status: 200, token: "a0b1", sentAt: sentAt)
        var full = PushResponse(messageID: name, provider: "apns", status: 410, token: "a0b1", sentAt: sentAt)
        full.reason = "Unregistered"
        full.timestamp = Self.time - 1_000
        full.environment = "sandbox"
        full.topic = "com.example.shop"
        full.pushType = "alert"
        full.priority = 10
        full.mutableContent = true
        full.collapseID = "order-7"
        full.campaign = "spring"
        full.variant = "b"
        var error = PushResponse(
            notificationID: "order-4711", provider: "fcm", status: 404, token: "f:1", sentAt: sentAt)
        error.error = Data(#"{"error":{"code":404,"status":"NOT_FOUND"}}"#.utf8)
        try check("responses", [plain, full, error].map(\.item))
    }
}
