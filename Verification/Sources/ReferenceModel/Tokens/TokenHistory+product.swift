internal import DeliveryModel
internal import Foundation
internal import PostgresClient
internal import TokenLifecycle

// The content of a token history as values of the product.

extension Registration {
    init(_ registration: PhoneRegistration, in history: TokenHistory) {
        self.init(
            deviceID: history.phones[registration.phone],
            registeredAt: Instant(millisecondsSinceEpoch: registration.registeredAt))
        for entry in registration.entries {
            let address = TokenAddress(entry.token, saysTopic: entry.saysTopic, in: history)
            tokens.append(address)
            expirations[address] = entry.expiresAt.map(Instant.init(millisecondsSinceEpoch:))
        }
        appVersion = registration.appVersion
        permission = registration.permission
        account = registration.account
    }
}

extension TokenAddress {
    init(_ name: TokenName, saysTopic: Bool, in history: TokenHistory) {
        let value = history.values[name.value]
        self.init(
            provider: value.provider, environment: Environment(rawValue: name.environment) ?? .production,
            topic: saysTopic ? value.topic : "", kind: TokenKind(rawValue: value.kind) ?? .alert,
            value: value.text)
    }
}

extension Event {
    init(_ item: TokenItem, in history: TokenHistory) {
        switch item {
        case .response(let number, let words, let diedAt, let saysTopic):
            let push = history.pushes[number]
            let address = TokenAddress(push.token, saysTopic: saysTopic, in: history)
            var response = ProviderResponse(provider: address.provider, status: words.status)
            response.reason = words.reason
            response.facts.invalidSince = diedAt.map(Instant.init(millisecondsSinceEpoch:))
            response.environment = address.environment
            response.topic = address.topic
            response.target = .token(address)
            self.init(push, .response(response))
        case .sighting(let number, let kind, let occurredAt, let phone):
            var report = DeviceReport(kind: DeviceReport.Kind(rawValue: kind) ?? .arrival)
            report.occurredAt = occurredAt.map(Instant.init(millisecondsSinceEpoch:))
            report.deviceID = phone.map { history.phones[$0] }
            self.init(history.pushes[number], .device(report))
        }
    }

    private init(_ push: TokenPush, _ content: Content) {
        self.init(
            notificationID: push.notificationID, sentAt: Instant(millisecondsSinceEpoch: push.sentAt),
            content: content)
    }
}

extension TokenFilter {
    init(_ scope: TokenScope) {
        self.init(environment: scope.environment.flatMap(Environment.init(rawValue:)), topic: scope.topic)
    }
}

/// Apps of token histories.
enum SoakApps {
    /// Creates the apps. Returns their ids by slug.
    static func make(
        _ slugs: [String], settings: [String], on connection: PostgresConnection
    ) throws -> [String: Int64] {
        let rows = try connection.query(
            .Soak.makeApps, [.array(slugs), .array(settings), .value(Instant.now)])
        var apps: [String: Int64] = [:]
        for row in rows { apps[try row.get("slug")] = try row.get("app_id") }
        return apps
    }
}
