public import Foundation
public import LandfallCore

/// Keeps the server's knowledge of this installation current.
///
/// Who is signed in is on disk when the call that says it returns, so that a sign-out outlives a killed app.
/// It is posted when there is a network. Tokens are not kept: the system hands them out at every launch.
public final class Registrar: Sendable {
    private let configuration: Configuration
    private let identity: Identity
    private let transport: any Transport
    private let spool: Spool
    private let file: URL
    private let clock: WallClock
    private let log: Log
    private let state: Locked<State>

    private struct State {
        var registration: Registration
        var standing: Standing
        var isPosting = false
        /// In milliseconds since 1970. A clock that was set back ends it.
        var pause: Range<Int64> = 0..<0
        /// The device was erased before this launch, not since.
        var wasErased = false
    }

    /// - Parameters:
    ///   - spool: emptied if the server has erased the device.
    ///   - folder: the app's own, in which what it remembers is kept.
    public init(
        _ configuration: Configuration, identity: Identity, transport: any Transport, spool: Spool,
        folder: URL,
        traits: DeviceTraits = DeviceTraits(), clock: @escaping WallClock = systemClock,
        log: @escaping Log = { _ in }
    ) {
        self.configuration = configuration
        self.identity = identity
        self.transport = transport
        self.spool = spool
        self.clock = clock
        self.log = log
        file = folder.appendingPathComponent("registration.json")
        let stored = (try? Data(contentsOf: file)).flatMap {
            try? JSONDecoder().decode(Standing.self, from: $0)
        }
        let standing = stored ?? Standing()
        var registration = Registration(traits: traits)
        registration.account = standing.account
        registration.tags = standing.tags
        registration.accountProof = standing.accountProof
        state = Locked(
            State(registration: registration, standing: standing, wasErased: standing.isErased))
    }

    /// A person opened the app. If the device was erased before this launch, it may have a new id now.
    public func becameActive() {
        state.use { state in
            guard state.wasErased else { return }
            state.wasErased = false
            state.standing.isErased = false
            store(state.standing)
        }
    }

    /// Changes traits, tokens or permission. ``post()`` posts it if it differs from what the server knows.
    public func change(_ change: (inout Registration) -> Void) {
        state.use { change(&$0.registration) }
    }

    /// Someone signed in, or the tags changed.
    ///
    /// - Parameter proof: what the app's backend signed for account and tags (docs/trust.md).
    public func signIn(account: String, tags: [String], proof: String?) {
        change(account: account, tags: tags, proof: proof, isSignedOut: false)
    }

    /// The user signed out: the tokens retire until someone signs in.
    public func signOut() {
        change(account: "", tags: [], proof: nil, isSignedOut: true)
    }

    private func change(account: String, tags: [String], proof: String?, isSignedOut: Bool) {
        state.use { state in
            state.registration.account = account
            state.registration.tags = tags
            state.registration.accountProof = proof
            state.standing.account = account
            state.standing.tags = tags
            state.standing.accountProof = proof
            state.standing.isSignedOut = isSignedOut
            if isSignedOut { state.standing.owesLogOut = true }
            store(state.standing)
        }
    }

    /// Posts what the server does not know yet: at every launch, when the app comes to the foreground, when
    /// something changes.
    public func post() async {
        let isFirst = state.use { state in
            defer { state.isPosting = true }
            return !state.isPosting
        }
        // The caller that already posts sees the change, because it looks again after each request.
        guard isFirst else { return }
        while let request = next() {
            let response = await transport.send(request.request, within: 15)
            state.use { settle(request, response, &$0) }
        }
    }

    // MARK: - Deciding

    private struct Posted {
        var request: Request
        /// `nil` for a log-out.
        var fingerprint: String?
        var hasTokens: Bool
    }

    /// The next request; `nil` if nothing is to be posted now, and then no one is posting.
    private func next() -> Posted? {
        state.use { state in
            let next = !state.pause.contains(clock()) && !state.standing.isErased ? request(&state) : nil
            if next == nil { state.isPosting = false }
            return next
        }
    }

    private func request(_ state: inout State) -> Posted? {
        if state.standing.owesLogOut {
            if let id = identity.deviceID {
                return Posted(
                    request: request("DELETE", id, "/tokens", nil), fingerprint: nil, hasTokens: false)
            }
            state.standing.owesLogOut = false
        }
        var registration = state.registration
        if state.standing.isSignedOut { registration.tokens = [] }
        let body = registration.body
        let fingerprint = StableHash(String(decoding: body, as: UTF8.self) + configuration.fingerprint).hex
        guard state.standing.needs(fingerprint, now: clock()), let id = identity.makeDeviceID() else {
            return nil
        }
        return Posted(
            request: request("PUT", id, "", body), fingerprint: fingerprint,
            hasTokens: !registration.tokens.isEmpty)
    }

    private func request(_ method: String, _ id: UUID, _ path: String, _ body: Data?) -> Request {
        var headers = ["Authorization": "Bearer " + configuration.key]
        headers["Landfall-Credential"] = identity.credential
        if body != nil { headers["Content-Type"] = "application/json" }
        let place = "v1/devices/" + id.uuidString.lowercased() + path
        return Request(method, configuration.url.appendingPathComponent(place), headers: headers, body: body)
    }

    private func settle(_ posted: Posted, _ response: Response?, _ state: inout State) {
        guard let fingerprint = posted.fingerprint else { return settleLogOut(response, &state) }
        switch RegistrationVerdict(response, hasTokens: posted.hasTokens) {
        case .accepted(let credential):
            if let credential { identity.keep(credential: credential) }
            state.standing.accepted = fingerprint
            state.standing.acceptedAt = clock()
            store(state.standing)
        case .becomeNew:
            identity.forget()
        case .erased:
            identity.forget()
            spool.removeAll()
            state.standing = Standing()
            state.standing.isErased = true
            store(state.standing)
        case .rejected(let code):
            log("the server rejected the registration: \(code)")
            state.standing.accepted = fingerprint
            state.standing.acceptedAt = clock()
        case .retry(let seconds):
            state.pause = pause(seconds)
        }
    }

    /// - Parameter seconds: what the server said; a day at most.
    private func pause(_ seconds: Int?) -> Range<Int64> {
        let now = clock()
        return now..<now + Int64(min(max(seconds ?? 10, 1), 86_400)) * 1_000
    }

    private func settleLogOut(_ response: Response?, _ state: inout State) {
        guard let response, [200, 204, 404].contains(response.status),
            response.status != 404 || response.problemCode != nil
        else {
            state.pause = pause(response?.retryAfter)
            return
        }
        state.standing.owesLogOut = false
        store(state.standing)
    }

    private func store(_ standing: Standing) {
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try JSONEncoder().encode(standing).write(to: file, options: .atomic)
        } catch {
            log("what the server knows cannot be remembered: \(error)")
        }
    }
}
