internal import Hummingbird
internal import People
internal import PostgresClient
internal import Rendering

/// Sign-in and sign-out. Every session begins with a new secret, so a planted cookie is worth nothing.
struct SignInController: Sendable {
    let entrance: Entrance
    let guesses: SignInGuesses
    let cost: Passphrase.Cost
    private let checks = PassphraseDesk.forChecks()
    private let links = PassphraseDesk.forLinks()

    private var pool: PostgresPool { entrance.pool }
    private var now: Instant { entrance.clock.now }

    func addRoutes(to group: RouterGroup<LandfallRequestContext>) {
        group.get("sign-in") { request, context in
            let asked = try QueryParameters(query: request.uri.query, paths: ["next"])
            let next = LocalPath(try asked.one("next") ?? "/")
            if let user = try entrance.proxy?.user(request, context) {
                let address = entrance.address(of: request, context)
                let person = try await pool.withTransaction { [now] in
                    try user.person(from: address, now: now, on: $0)
                }
                return try await begin(person, by: .proxy, request, context, next: next)
            }
            return SignInPage.passphrase(next: next, isLoopback: entrance.cookie(request, context).isLoopback)
                .response(for: nil)
        }
        group.post("sign-in", use: signIn)
        group.get("sign-in/link/:secret", use: openLink)
        group.post("sign-in/link/:secret", use: useLink)
        group.post("sign-out") { request, context in
            try await signOut(request, context) {
                try Sessions.end(id: $0.session.id, of: $0.person, on: $1)
            }
        }
        group.post("sign-out/everywhere") { request, context in
            try await signOut(request, context) { try Sessions.endAll(of: $0.person, on: $1) }
        }
    }

    // MARK: - With a passphrase

    /// The response is the same whether the name or the passphrase is wrong, and takes as long.
    @Sendable
    private func signIn(_ request: Request, _ context: LandfallRequestContext) async throws -> Response {
        let form = try await ConsoleForm(request)
        let (name, passphrase) = (try form.field("name"), try form.field("passphrase"))
        let address = entrance.address(of: request, context)
        let next = LocalPath(try form.field("next"))
        if let problem = guesses.excess(from: address) { throw problem }
        if let problem = guesses.excess(of: name), try await !isKnown(name, from: address) { throw problem }
        guard let person = try await person(name, with: passphrase, from: address) else {
            try await pool.withConnection { connection in
                try Audit.record(
                    nil, name: name, act: "sign_in_failed", address: address.text, on: connection)
            }
            return SignInPage.passphrase(
                next: next, isLoopback: entrance.cookie(request, context).isLoopback, name: name,
                mistake: "The name or the passphrase is wrong."
            ).response(status: .forbidden, for: nil)
        }
        guesses.giveBack(name, from: address)
        return try await begin(person, by: .passphrase, request, context, next: next)
    }

    private func person(
        _ name: String, with passphrase: String, from address: IPAddress
    ) async throws -> Person? {
        let stored = try await pool.withConnection(attempts: 2) {
            try PeopleDirectory.passphrase(of: name, on: $0)
        }
        let id = try await checks.run(from: address) { [cost] in stored.personID(with: passphrase, cost) }
        guard let id else { return nil }
        return try await pool.withConnection(attempts: 2) { try PeopleDirectory.find(id: id, on: $0) }
    }

    /// Whether the name has signed in from there before: others who use up its attempts do not lock it out.
    private func isKnown(_ name: String, from address: IPAddress) async throws -> Bool {
        guard let name = try? Person.normalized(name) else { return false }
        return try await pool.withConnection(attempts: 2) { [now] in
            try Audit.hasSignedIn(name, from: address.text, now: now, on: $0)
        }
    }

    // MARK: - With a one-time link

    private static var usedLink: Response { SignInPage.usedLink.response(status: .notFound, for: nil) }

    private static func secret(_ context: LandfallRequestContext) throws(Problem) -> Secret {
        guard let secret = context.parameters.get("secret").flatMap({ Secret(text: $0) })
        else { throw Problem.notFound() }
        return secret
    }

    private func opened(_ secret: Secret) async throws -> OpenedLink? {
        try await pool.withConnection(attempts: 2) { [now] in
            try PeopleDirectory.openLink(secret, now: now, on: $0)
        }
    }

    /// Shows what the link does. Mail programs and chats open links too, and must not use this one up.
    @Sendable
    private func openLink(_ request: Request, _ context: LandfallRequestContext) async throws -> Response {
        let secret = try Self.secret(context)
        guard let link = try await opened(secret) else { return Self.usedLink }
        // The server printed it on this machine, for the person at its terminal.
        if link.kind == .signIn { return try await use(secret, passphrase: nil, request, context) }
        return SignInPage.newPassphrase(secret, for: link.person).response(for: nil)
    }

    @Sendable
    private func useLink(_ request: Request, _ context: LandfallRequestContext) async throws -> Response {
        let secret = try Self.secret(context)
        let form = try await ConsoleForm(request)
        let (passphrase, again) = (try form.field("passphrase"), try form.field("again"))
        guard let link = try await opened(secret) else { return Self.usedLink }
        func asked(again mistake: String) -> Response {
            SignInPage.newPassphrase(secret, for: link.person, mistake: mistake)
                .response(status: .unprocessableContent, for: nil)
        }
        guard passphrase == again else { return asked(again: "The two passphrases are different.") }
        guard link.kind == .setPassphrase else { return Self.usedLink }
        do {
            // Only for a link that works, because it takes long.
            let hash = try await links.run(from: entrance.address(of: request, context)) { [cost] in
                try Passphrase.hash(passphrase, cost)
            }
            return try await use(secret, passphrase: hash, request, context)
        } catch let mistake as PeopleError {
            return asked(again: mistake.description.sentence)
        }
    }

    private func use(
        _ secret: Secret, passphrase hash: String?, _ request: Request, _ context: LandfallRequestContext
    ) async throws -> Response {
        let person = try await pool.withConnection { [now] in
            try PeopleDirectory.useLink(secret, passphrase: hash, now: now, on: $0)
        }
        guard let person else { return Self.usedLink }
        return try await begin(person, by: .link, request, context, next: LocalPath("/"))
    }

    // MARK: - Sessions

    private func begin(
        _ person: Person, by method: SignInMethod, _ request: Request, _ context: LandfallRequestContext,
        next: LocalPath
    ) async throws -> Response {
        let cookie = entrance.cookie(request, context)
        let address = entrance.address(of: request, context).text
        let agent = String((request.headers[.userAgent] ?? "").prefix(200))
        let earlier = cookie.secret(of: request)
        let secret = try await pool.withTransaction { [now] connection in
            if let earlier { try Sessions.end(earlier, on: connection) }
            try Audit.record(
                person, act: "sign_in", subject: method.rawValue, address: address, on: connection)
            return try Sessions.begin(
                person, by: method, address: address, userAgent: agent, now: now, on: connection)
        }
        var response = Response.seeOther(next.text)
        response.headers[.setCookie] = cookie.beginning(secret)
        return response
    }

    private func signOut(
        _ request: Request, _ context: LandfallRequestContext,
        _ end: @escaping @Sendable (Visit, PostgresConnection) throws -> Void
    ) async throws -> Response {
        let visit = try await entrance.visit(request, context)
        _ = try await visit.form(request)
        try await pool.withTransaction { connection in
            try end(visit, connection)
            try Audit.record(visit.person, act: "sign_out", address: visit.address.text, on: connection)
        }
        var response = Response.seeOther("/sign-in")
        response.headers[.setCookie] = entrance.cookie(request, context).ending
        return response
    }
}

struct SignInGuesses: Sendable {
    private let addresses: RateLimiter<IPAddress>
    private let names: RateLimiter<String>
    private let now: @Sendable () -> ContinuousClock.Instant

    init(now: @escaping @Sendable () -> ContinuousClock.Instant) {
        addresses = RateLimiter(RateLimit(perSecond: 0.2, burst: 20), name: "sign-in-address")
        // A person who forgot the passphrase needs a new link; a program that guesses needs decades.
        names = RateLimiter(RateLimit(perSecond: 0.02, burst: 20), name: "sign-in-name", capacity: 10_000)
        self.now = now
    }

    func excess(from address: IPAddress) -> Problem? { excess(addresses, address.client) }

    func excess(of name: String) -> Problem? { excess(names, name.lowercased()) }

    private func excess<Caller: Hashable & Sendable>(
        _ limiter: RateLimiter<Caller>, _ caller: Caller
    ) -> Problem? {
        let allowance = limiter.take(caller, at: now())
        guard !allowance.isGranted else { return nil }
        return limiter.policy.problem(allowance, "too many attempts to sign in: wait, or ask for a new link")
    }

    func giveBack(_ name: String, from address: IPAddress) {
        addresses.giveBack(address.client)
        names.giveBack(name.lowercased())
    }
}
