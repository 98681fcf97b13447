internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import People
internal import PostgresClient

/// Sign-in by a proxy such as oauth2-proxy, Authelia or Cloudflare Access that names the person in a header.
///
/// It is believed only from a trusted proxy, with the secret that it shares with this server. From anywhere
/// else it is an attack, so the request gets 400.
struct ProxySignIn: Sendable {
    let userField: HTTPField.Name
    let groupsField: HTTPField.Name?
    private let secret: String
    private let proxies: [AddressRange]

    static let secretField = "Landfall-Proxy-Secret"

    /// `nil` unless the settings name a field for the user.
    init?(_ configuration: ServerConfiguration) {
        let web = configuration.web
        guard let name = HTTPField.Name(web.proxyUserHeader), !web.proxyUserHeader.isEmpty else { return nil }
        userField = name
        groupsField = web.proxyGroupsHeader.isEmpty ? nil : HTTPField.Name(web.proxyGroupsHeader)
        secret = web.proxySecret
        proxies = configuration.limits.trustedProxies
    }

    struct User: Hashable {
        let name: String
        /// What the groups say; `nil` if the proxy names no groups.
        let grants: Grants?
    }

    /// `nil` if the request names no user; 400 if it does and is not the proxy's.
    func user(_ request: Request, _ context: LandfallRequestContext) throws -> User? {
        let names = request.headers[values: userField]
        guard !names.isEmpty else { return nil }
        let socket = context.channel.remoteAddress.flatMap { IPAddress($0) }
        let isTrusted = socket.map { address in proxies.contains { $0.contains(address) } } ?? false
        let sent = HTTPField.Name(Self.secretField).flatMap { request.headers[$0] } ?? ""
        guard names.count == 1, isTrusted, !secret.isEmpty, isEqualInConstantTime(sent, secret) else {
            throw Problem(
                .badRequest, "untrusted_proxy",
                "\(userField.rawName) is believed only from limits.trusted_proxies, with web.proxy_secret in \(Self.secretField)"
            )
        }
        let name = try Person.normalized(names[0])
        let groups = groupsField.map { field in
            request.headers[values: field].flatMap { $0.split(separator: ",") }
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
        return User(name: name, grants: groups.map(Self.grants))
    }

    /// The groups `landfall-viewer`, `landfall-operator` and `landfall-admin` give that role in all apps;
    /// other groups nothing.
    private static func grants(_ groups: [String]) -> Grants {
        Grants(everywhere: Role.allCases.last { groups.contains("landfall-\($0.rawValue)") })
    }
}

extension ProxySignIn.User {
    /// The person whom the proxy names. With groups, the role follows them: a person in no group has no role.
    ///
    /// - Throws: 403 for an unknown person in no group, and for a name that signs in without the proxy.
    func person(from address: IPAddress, now: Instant, on connection: PostgresConnection) throws -> Person {
        guard name != PeopleDirectory.owner else { throw notOfProxy }
        guard let known = try PeopleDirectory.find(name, on: connection) else {
            guard let role = grants?.everywhere else { throw unknown }
            let added = try PeopleDirectory.add(name, Grants(role), now: now, on: connection).person
            try record("person_added", "\(name), \(role.rawValue)", from: address, on: connection)
            return added
        }
        guard !known.hasPassphrase else { throw notOfProxy }
        return try updated(known, from: address, on: connection)
    }

    /// Whether the groups give another role than the person has.
    func changes(_ person: Person) -> Bool {
        grants.map { $0.everywhere != person.grants.everywhere } ?? false
    }

    /// The person with the role that the groups give now. Roles in apps are granted in Landfall and remain.
    func updated(
        _ person: Person, from address: IPAddress, on connection: PostgresConnection
    ) throws -> Person {
        guard changes(person) else { return person }
        guard let role = grants?.everywhere else {
            try record("role_revoked", name, from: address, on: connection)
            return try PeopleDirectory.revokeGrant(in: nil, of: name, on: connection)
        }
        try record("role_granted", "\(name), \(role.rawValue)", from: address, on: connection)
        return try PeopleDirectory.grant(role, in: nil, to: name, on: connection)
    }

    private func record(
        _ act: String, _ subject: String, from address: IPAddress, on connection: PostgresConnection
    ) throws {
        try Audit.record(
            nil, name: Audit.proxy, act: act, subject: subject, address: address.text, on: connection)
    }

    private var unknown: Problem {
        Problem(
            .forbidden, "unknown_person",
            "\(name) is not known here: an operator runs landfall person add \(name) --role viewer")
    }

    private var notOfProxy: Problem {
        let remedy =
            name == PeopleDirectory.owner
            ? "let the proxy use another name" : "landfall person link \(name) removes the passphrase"
        return Problem(
            .forbidden, "not_of_proxy",
            "\(name) signs in here without the proxy, so the proxy's \(name) is another person: \(remedy)")
    }
}
