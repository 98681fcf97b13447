import Foundation
import Testing

@testable import LandfallApp
@testable import LandfallCore

@Suite struct RegistrarTests {
    private let folder: TemporaryFolder
    private let spool: Spool
    private let identity: Identity
    private let clock = HandClock()

    init() throws {
        folder = try TemporaryFolder()
        spool = Spool(folder: folder.url.appendingPathComponent("v1"), isShared: true)
        identity = Identity(SecretFiles(folder: folder.url.appendingPathComponent("keychain")))
    }

    private func launch(_ network: Network) throws -> Registrar {
        let url = try #require(URL(string: "https://push.example"))
        return Registrar(
            Configuration(url: url, key: "lf_device_a"), identity: identity, transport: network, spool: spool,
            folder: folder.url.appendingPathComponent("app"), clock: clock.clock)
    }

    private static let token = Registration.Token(
        Data([0xA0, 0x1]), environment: "production", bundleID: "com.example.shop")

    private static func accepting(_ credential: String? = nil) -> Network {
        Network { request, number in
            guard request.method == "PUT" else { return Response(status: 204) }
            let secret = number == 0 ? credential.map { #","credential":"\#($0)""# } ?? "" : ""
            return Response(status: 200, body: Data(#"{"device_id":"x"\#(secret)}"#.utf8))
        }
    }

    @Test("posts tokens, traits and permission, and keeps the credential")
    func first() async throws {
        let network = Self.accepting("secret")
        let registrar = try launch(network)
        registrar.change { $0.add(Self.token) }
        registrar.change { $0.permission = "provisional" }
        registrar.change { $0.settings = ["alert": true, "sound": false] }
        await registrar.post()
        let request = try #require(network.sent.first)
        let id = try #require(identity.deviceID)
        #expect(network.sent.count == 1)
        #expect(request.url.absoluteString == "https://push.example/v1/devices/\(id.uuidString.lowercased())")
        #expect(request.headers["Landfall-Credential"] == nil)
        #expect(
            request.fields["tokens"] as? [[String: String]] == [
                ["value": "a001", "kind": "alert", "environment": "production", "topic": "com.example.shop"]
            ])
        #expect(request.fields["permission"] as? String == "provisional")
        #expect(request.fields["settings"] as? [String: Bool] == ["alert": true, "sound": false])
        #expect(identity.credential == "secret")

        registrar.change { $0.permission = "denied" }
        await registrar.post()
        #expect(network.sent.last?.headers["Landfall-Credential"] == "secret")
    }

    @Test("posts what differs, and otherwise once a day, also after a new launch")
    func fingerprint() async throws {
        let network = Self.accepting()
        let registrar = try launch(network)
        registrar.change { $0.add(Self.token) }
        await registrar.post()
        await registrar.post()
        let again = try launch(network)
        again.change { $0.add(Self.token) }
        await again.post()
        #expect(network.sent.count == 1)
        clock.now += 86_400_000
        await again.post()
        #expect(network.sent.count == 2)
        again.change { $0.add(.init(Data([2]), environment: "production", bundleID: "com.example.shop")) }
        await again.post()
        #expect(network.sent.count == 3)
    }

    @Test("repeats a registration that the server did not receive, after a pause")
    func repeated() async throws {
        let network = Network { _, number in
            number == 0
                ? nil
                : number == 1 ? .page(200) : Response(status: 200, body: Data(#"{"device_id":"x"}"#.utf8))
        }
        let registrar = try launch(network)
        for count in 1...3 {
            await registrar.post()
            await registrar.post()
            #expect(network.sent.count == count)
            clock.now += 10_000
        }
        await registrar.post()
        #expect(network.sent.count == 3)
    }

    @Test(
        "a sign-out is repeated until the server knows it, also after a new launch, and tokens return with the next person"
    )
    func signOut() async throws {
        let isUp = Locked(true)
        let network = Network { request, _ in
            guard isUp.use({ $0 }) else { return nil }
            return request.method == "PUT"
                ? Response(status: 200, body: Data(#"{"device_id":"x"}"#.utf8)) : Response(status: 204)
        }
        let registrar = try launch(network)
        registrar.change { $0.add(Self.token) }
        registrar.signIn(account: "u_42", tags: ["beta"], proof: "1.x")
        await registrar.post()
        #expect(network.sent.last?.fields["account"] as? String == "u_42")
        #expect(network.sent.last?.fields["account_proof"] as? String == "1.x")
        isUp.use { $0 = false }
        registrar.signOut()
        await registrar.post()

        clock.now += 60_000
        let again = try launch(network)
        again.change { $0.add(Self.token) }
        isUp.use { $0 = true }
        await again.post()
        let afterwards = network.sent.suffix(2)
        #expect(afterwards.map(\.method) == ["DELETE", "PUT"])
        #expect(afterwards.first?.url.path.hasSuffix("/tokens") == true)
        #expect((afterwards.last?.fields["tokens"] as? [Any])?.isEmpty == true)
        #expect(afterwards.last?.fields["account"] as? String == "")

        again.signIn(account: "u_43", tags: [], proof: nil)
        await again.post()
        #expect((network.sent.last?.fields["tokens"] as? [Any])?.count == 1)
        #expect(network.sent.last?.fields["account"] as? String == "u_43")
    }

    @Test("an account stays signed in over launches")
    func account() async throws {
        let network = Self.accepting()
        try launch(network).signIn(account: "u_42", tags: ["beta"], proof: "1.x")
        await (try launch(network)).post()
        #expect(network.sent.last?.fields["account"] as? String == "u_42")
        #expect(network.sent.last?.fields["tags"] as? [String] == ["beta"])
    }

    @Test("an installation that lost its credential becomes a new one, as soon as it has a token")
    func lostCredential() async throws {
        let id = try #require(identity.makeDeviceID())
        let old = id.uuidString.lowercased()
        let network = Network { request, _ in
            request.url.path.hasSuffix(old)
                ? .problem(403, "credential_required")
                : Response(status: 200, body: Data(#"{"device_id":"x"}"#.utf8))
        }
        let registrar = try launch(network)
        await registrar.post()
        #expect(identity.deviceID == id)
        clock.now += 10_000
        registrar.change { $0.add(Self.token) }
        await registrar.post()
        #expect(identity.deviceID != id)
        #expect(network.sent.count == 3)
        #expect(network.sent.last?.url.path.hasSuffix(old) == false)
    }

    @Test(
        "an erased device forgets its id and its events, and has a new id once a person opens the app again")
    func erased() async throws {
        let id = try #require(identity.makeDeviceID())
        try spool.write(Data("{}".utf8), identity: "1", at: 1)
        let gone = Network { _, _ in .problem(410, "erased_device") }
        let registrar = try launch(gone)
        registrar.signIn(account: "u_42", tags: [], proof: nil)
        await registrar.post()
        #expect(identity.deviceID == nil && spool.files().isEmpty)
        registrar.becameActive()
        await registrar.post()
        #expect(gone.sent.count == 1)

        let network = Self.accepting()
        let inBackground = try launch(network)
        await inBackground.post()
        #expect(network.sent.isEmpty && identity.deviceID == nil)
        let opened = try launch(network)
        opened.becameActive()
        await opened.post()
        #expect(network.sent.count == 1)
        #expect(network.sent.last?.fields["account"] == nil)
        #expect(identity.deviceID != nil && identity.deviceID != id)
    }

    @Test("a registration that the server rejects is not repeated until it is another one")
    func rejected() async throws {
        let network = Network { _, _ in .problem(422, "invalid_token") }
        let registrar = try launch(network)
        registrar.change { $0.add(Self.token) }
        await registrar.post()
        await registrar.post()
        #expect(network.sent.count == 1)
        registrar.change { $0.permission = "denied" }
        await registrar.post()
        #expect(network.sent.count == 2)
    }

    @Test(
        "nothing is registered while the keychain cannot be read: an id made up now would be another installation"
    )
    func locked() async throws {
        let network = Self.accepting()
        let url = try #require(URL(string: "https://push.example"))
        let registrar = Registrar(
            Configuration(url: url, key: "lf_device_a"), identity: Identity(LockedKeychain()),
            transport: network,
            spool: spool, folder: folder.url, clock: clock.clock)
        await registrar.post()
        #expect(network.sent.isEmpty)
    }

    @Test("two processes that start together have one id")
    func oneID() async throws {
        let folder = folder.url.appendingPathComponent("shared")
        let ids = await withTaskGroup(of: UUID?.self) { group in
            for _ in 0..<50 { group.addTask { Identity(SecretFiles(folder: folder)).makeDeviceID() } }
            return await group.reduce(into: Set<UUID?>()) { $0.insert($1) }
        }
        #expect(ids.count == 1 && !ids.contains(nil))
    }

    @Test("a token replaces that of its kind, environment and topic")
    func slots() {
        var registration = Registration(traits: DeviceTraits())
        registration.error = "NSCocoaErrorDomain 3000"
        for byte: UInt8 in 1...3 {
            registration.add(.init(Data([byte]), kind: .voip, environment: "sandbox", bundleID: "a"))
        }
        registration.add(.init(Data([4]), kind: .liveActivityStart, environment: "sandbox", bundleID: "a"))
        registration.add(.init(text: "fcm:1"))
        #expect(registration.tokens.map(\.value) == ["03", "04", "fcm:1"])
        #expect(registration.tokens.map(\.topic) == ["a.voip", "a.push-type.liveactivity", ""])
        #expect(registration.error == nil)
    }

    @Test("each running Live Activity keeps its token until it ends")
    func liveActivities() {
        var registration = Registration(traits: DeviceTraits())
        let tokens = [1, 2].map { (byte: UInt8) in
            Registration.Token(
                Data([byte]), kind: .liveActivityUpdate, environment: "production", bundleID: "a")
        }
        for token in tokens + tokens { registration.add(token) }
        #expect(registration.tokens == tokens)
        registration.replace(tokens[0], with: nil)
        #expect(registration.tokens == [tokens[1]])
    }

    @Test("waits as long as the server says, a day at most, and not longer because the clock is set back")
    func pause() async throws {
        for (said, seconds) in [(60, 60), (-1, 1), (.max, 86_400), (nil, 10)] as [(Int?, Int64)] {
            let network = Network { _, _ in .problem(503, "unavailable", retryAfter: said) }
            let registrar = try launch(network)
            let start = clock.now
            await registrar.post()
            clock.now = start + seconds * 1_000 - 1
            await registrar.post()
            #expect(network.sent.count == 1)
            clock.now = start + seconds * 1_000
            await registrar.post()
            #expect(network.sent.count == 2)
            clock.now -= 3_600_000
            await registrar.post()
            #expect(network.sent.count == 3)
        }
    }

    @Test("a sign-out waits a day at most, too")
    func signOutPause() async throws {
        _ = identity.makeDeviceID()
        let network = Network { _, _ in .problem(503, "unavailable", retryAfter: .max) }
        let registrar = try launch(network)
        registrar.signOut()
        await registrar.post()
        clock.now += 86_400_000
        await registrar.post()
        #expect(network.sent.map(\.method) == ["DELETE", "DELETE"])
    }
}

/// A keychain before the first unlock.
private struct LockedKeychain: SecretStore {
    func read(_ name: String) throws(SecretsUnavailable) -> Data? { throw SecretsUnavailable(code: -25308) }
    func add(_ value: Data, as name: String) throws(SecretsUnavailable) -> Bool {
        throw SecretsUnavailable(code: -25308)
    }
    func remove(_ name: String) throws(SecretsUnavailable) { throw SecretsUnavailable(code: -25308) }
}
