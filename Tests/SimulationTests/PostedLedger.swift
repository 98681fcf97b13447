import Foundation
import Simulation

/// A ledger of tokens that a reader of the posted bytes keeps, in any order.
struct PostedLedger {
    private struct Token {
        var state = "active"
        var owner: String?
        var registeredAt: Int64?
        var wasAccepted = false
        var rejections: [Int64] = []
    }

    private var tokens: [String: Token] = [:]
    /// The value that a device holds in an environment and topic.
    private var slots: [String: String] = [:]
    private var permissions: [String: String] = [:]
    private var seenResponses: Set<String> = []
    private var targets: [String: String] = [:]
    private(set) var rules: [SimulatedTokenRule: Int] = [:]

    mutating func register(_ registration: SimulatedRegistration) {
        guard let body = PostedEvent(registration.body) else { return }
        let device = registration.deviceID.uuidString.lowercased()
        permissions[device] = body.text("permission")
        for entry in body.tokens {
            let slot = [entry["environment"] ?? "", entry["topic"] ?? ""].joined(separator: "|")
            let key = slot + "|" + (entry["value"] ?? "").lowercased()
            register(key, slot: slot, device: device, at: body.instant("registered_at") ?? 0)
        }
    }

    private mutating func register(_ key: String, slot: String, device: String, at instant: Int64) {
        var token = tokens[key] ?? Token()
        if tokens[key] == nil {
            rules[.registered, default: 0] += 1
        } else if token.owner != device {
            rules[.transferred, default: 0] += 1
        } else if token.state != "active" {
            rules[.revived, default: 0] += 1
        }
        token.owner = device
        token.state = "active"
        token.registeredAt = instant
        let holding = device + "|" + slot
        if let other = slots[holding], other != key, let held = tokens[other], held.owner == device,
            held.state != "retired"
        {
            tokens[other]?.state = "retired"
            rules[.rotated, default: 0] += 1
        }
        slots[holding] = key
        tokens[key] = token
    }

    mutating func record(_ event: PostedEvent) {
        guard event.type == "response" else { return }
        guard seenResponses.insert("\(event.id) \(event.status) \(event.reason ?? "")").inserted else {
            return
        }
        let key = event.tokenKey
        if tokens[key] == nil, let owner = owner(ofValueIn: key) {
            targets[event.id] = targets[event.id] ?? owner
            return
        }
        if tokens[key] == nil { rules[.discovered, default: 0] += 1 }
        var token = tokens[key] ?? Token()
        let before = token.state
        switch (event.status, event.reason) {
        case (200, _): accept(&token)
        case (410, _): bury(&token, event)
        case (400, "BadDeviceToken"): doubt(&token, key: key, event)
        default: break
        }
        if before != token.state, let rule = Self.rule(event) { rules[rule, default: 0] += 1 }
        tokens[key] = token
        targets[event.id] = targets[event.id] ?? token.owner ?? key
    }

    /// The device that registered the key's value in any environment and topic, last: a registered value is
    /// one token.
    private func owner(ofValueIn key: String) -> String? {
        let value = key.split(separator: "|").last
        return tokens.filter { $0.key.split(separator: "|").last == value && $0.value.registeredAt != nil }
            .max { ($0.value.registeredAt ?? 0) < ($1.value.registeredAt ?? 0) }?.value.owner
    }

    private static func rule(_ event: PostedEvent) -> SimulatedTokenRule? {
        switch event.status {
        case 200: .accepted
        case 410: .unregistered
        case 400: .badToken
        default: nil
        }
    }

    private func accept(_ token: inout Token) {
        token.wasAccepted = true
        if token.state == "suspect" { token.state = "active" }
    }

    private mutating func bury(_ token: inout Token, _ event: PostedEvent) {
        guard token.state != "retired" else { return }
        if let registered = token.registeredAt, (event.instant("timestamp") ?? 0) < registered {
            rules[.lateRejectionIgnored, default: 0] += 1
        } else {
            token.state = "retired"
        }
    }

    private func doubt(_ token: inout Token, key: String, _ event: PostedEvent) {
        guard token.state != "retired" else { return }
        token.rejections.append(event.sentAt ?? 0)
        let spread = (token.rejections.max() ?? 0) - (token.rejections.min() ?? 0)
        let elsewhere = tokens["sandbox" + key.dropFirst("production".count)]
        let isConvicted = spread >= 3_600_000 && !token.wasAccepted && elsewhere == nil
        token.state = isConvicted ? "retired" : "suspect"
    }
}

extension PostedLedger {
    func states(registered: Bool) -> [String: Int] {
        tokens.values.filter { ($0.registeredAt != nil) == registered }
            .reduce(into: [:]) { $0[$1.state, default: 0] += 1 }
    }

    var registeredInstallations: Int { permissions.count }

    var audience: Int {
        let owners = tokens.values.filter { $0.state == "active" }.compactMap(\.owner)
        return Set(owners).filter { permissions[$0] != "denied" }.count
    }

    /// The owner of the token when the first response was posted, or the token itself.
    func target(of id: String) -> String? { targets[id] }

    func targets(of ids: some Sequence<String>) -> Int {
        Set(ids.compactMap { targets[$0] }).count
    }
}
