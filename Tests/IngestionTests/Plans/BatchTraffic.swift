import DeliveryModel
import Foundation
import Ingestion
import Logging
import PostgresClient
import TestDatabase
import TokenLifecycle
import Vault

/// Batches of every kind of item, about new tokens, imported tokens, and their devices.
struct BatchTraffic {
    /// The kinds of response.
    enum Kind: CaseIterable {
        case plain, message, laterThanItsID, versionFour, campaignOfItsOwn, badDeviceToken, unregistered
    }

    let vault = TokenVault(.random())
    let now = Instant.now
    private static let topic = "com.example.shop"

    /// A device with an imported token.
    struct Phone: Sendable {
        var deviceID = UUID()
        var value = UUID().uuidString.replacing("-", with: "").lowercased()
    }

    func address(_ value: String) -> TokenAddress {
        TokenAddress(
            provider: "apns", environment: .production, topic: Self.topic, kind: .alert, value: value)
    }

    /// The lines of an imported table about these devices, each with an account.
    func table(of phones: [Phone]) -> String {
        phones.reduce(into: "value,topic,registered_at,device_id,account\n") { text, phone in
            let registeredAt = (now - .days(40)).rfc3339
            text += "\(phone.value),\(Self.topic),\(registeredAt),\(phone.deviceID),\(phone.deviceID)\n"
        }
    }

    func response(_ kind: Kind, to phone: Phone, message: UUID) -> Event {
        var response = ProviderResponse(provider: "apns", status: 200)
        response.topic = Self.topic
        response.campaign = kind == .campaignOfItsOwn ? UUID().uuidString : "spring"
        response.target = .token(address(phone.value))
        var event = Event(
            notificationID: MessageStory.id(createdAt: now), sentAt: nil, content: .response(response))
        switch kind {
        case .plain, .campaignOfItsOwn: break
        case .message: event.name = .message(message, deviceID: nil)
        case .laterThanItsID:
            event.name = .notification(MessageStory.id(createdAt: now - .hours(1)))
            event.sentAt = now
        case .versionFour:
            event.name = .notification(UUID())
            event.sentAt = now
        case .badDeviceToken: (response.status, response.reason) = (400, "BadDeviceToken")
        case .unregistered:
            (response.status, response.reason, response.facts.invalidSince) = (410, "Unregistered", now)
        }
        event.content = .response(response)
        return event
    }

    /// The item that the device posts about a response's notification.
    func report(_ kind: DeviceReport.Kind, about event: Event, by phone: Phone) -> Event {
        var report = DeviceReport(kind: kind)
        report.deviceID = phone.deviceID
        report.occurredAt = now
        guard case .message(let message, _) = event.name else {
            return Event(event.name, sentAt: nil, content: .device(report))
        }
        return Event(.message(message, deviceID: phone.deviceID), sentAt: nil, content: .device(report))
    }

    /// An item as its poster would post it.
    static func item(_ event: Event) -> BatchItem {
        BatchItem(appID: firstApp, text: [], poster: .server, content: .success(event))
    }

    /// An item that is kept in quarantine.
    static func rejectedItem(_ number: Int) -> BatchItem {
        BatchItem(
            appID: firstApp, text: Array("\(number)".utf8)[...], poster: .server,
            content: .failure(ItemRejection(.unknownType, "no such type")))
    }

    func importTable(of phones: [Phone], on connection: PostgresConnection) throws {
        var text: [UInt8]? = Array(table(of: phones).utf8)
        let reader = try TokenImportReader(defaults: ImportDefaults(), now: now) {
            defer { text = nil }
            return text ?? []
        }
        _ = try TokenImport(appID: firstApp, vault: vault, on: connection).apply(reader, now: now)
    }
}
