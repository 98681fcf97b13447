import DeliveryModel
import Foundation
import Testing

/// Rows are found by these ids as long as they are kept: the values must never change.
struct MessageNotificationTests {
    private let message = UUID(uuidString: "01942f0e-1c80-7a11-8d27-0c5f7d2f4a10") ?? UUID()
    private let device = UUID(uuidString: "6f9619ff-8b86-4011-b42d-00cf4fc964ff") ?? UUID()

    /// The expected values were computed with Python's hashlib.
    @Test("a notification's id is the SHA-256 of message and device, in the form of a version 8 id")
    func values() {
        #expect(
            UUID.notification(ofMessage: message, toDevice: device)
                == UUID(uuidString: "31233b09-ad6e-8075-afe0-8ac2113e891e"))
        #expect(
            UUID.notification(ofMessage: message, toToken: 4_711)
                == UUID(uuidString: "16a811fe-c4dc-8d75-ba42-26e96a9fd460"))
    }

    @Test("version and variant are set whatever the hash is, and no two pairs share an id")
    func forms() {
        var ids: Set<UUID> = []
        for _ in 0..<300 {
            let (message, device) = (UUID(), UUID())
            for id in [
                UUID.notification(ofMessage: message, toDevice: device),
                .notification(ofMessage: device, toDevice: message),
                .notification(ofMessage: message, toToken: 1),
                .notification(ofMessage: message, toToken: 256),
            ] {
                #expect(id.uuid.6 >> 4 == 8)
                #expect(id.uuid.8 >> 6 == 0b10)
                ids.insert(id)
            }
        }
        #expect(ids.count == 1_200)
    }

    @Test(
        "an event with message and device identifies the notification; one with a token only does not")
    func names() {
        let derived = UUID.notification(ofMessage: message, toDevice: device)
        #expect(NotificationName.message(message, deviceID: device).notificationID == derived)
        #expect(NotificationName.message(message, deviceID: nil).notificationID == nil)
        #expect(NotificationName.notification(message).notificationID == message)
    }
}
