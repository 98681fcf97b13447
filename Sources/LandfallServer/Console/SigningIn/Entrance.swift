internal import Access
internal import DeliveryModel
internal import HTTPTypes
internal import Hummingbird
internal import People
internal import PostgresClient
internal import Rendering

/// Finds the session of a request, and what the person may do in the app that the path names.
struct Entrance: Sendable {
    let cells: Cells
    let addresses: ClientAddresses
    /// `nil` if no proxy signs people in.
    let proxy: ProxySignIn?
    /// Whether events are posted to the same port.
    let takesEvents: Bool

    /// Connections to the cell that has people and sessions.
    var pool: PostgresPool { cells.front.pool }
    var clock: ServerClock { cells.front.clock }

    /// - Parameter role: what the page demands, in the path's app or, if the path names none, anywhere.
    /// - Throws: `SignInNeeded` without a session; 403 if another role is needed; 404 for an app in which the
    ///   person has no role, so that no one can find out which apps exist.
    func visit(
        _ request: Request, _ context: LandfallRequestContext, as role: Role = .viewer
    ) async throws -> Visit {
        let now = clock.now
        let address = address(of: request, context)
        let user = try proxy?.user(request, context)
        guard
            let (session, apps) = try await find(
                cookie(request, context).secret(of: request), user, address, now)
        else { throw SignInNeeded(path: request.uri.description) }
        let theirs = session.person.grants.apps(of: apps)
        let slug = context.parameters.get("app")
        let app = theirs.first { $0.slug == slug }
        guard slug == nil || app != nil else {
            throw Problem.notFound("there is no such app, or it is not one of yours")
        }
        let cell = try cells[app?.cell ?? .front]
        let visit = Visit(
            session: session, apps: theirs, app: app, cell: cell, now: cell.clock.now, path: request.uri.path,
            segments: context.parameters, parameters: try QueryParameters(query: request.uri.query),
            origin: takesEvents ? origin(request, context) : nil, address: address)
        guard visit.role >= role else {
            throw Problem(
                .forbidden, "role_needed",
                "this page is for the role \(role.rawValue), and yours is \(visit.role.rawValue): ask an admin"
            )
        }
        return visit
    }

    /// A session that a proxy began needs the proxy, which states the person's roles in every request.
    private func find(
        _ secret: Secret?, _ user: ProxySignIn.User?, _ address: IPAddress, _ now: Instant
    ) async throws -> (Session, [App])? {
        guard let secret else { return nil }
        return try await pool.withConnection(attempts: 2) { connection in
            guard var session = try Sessions.find(secret, now: now, on: connection) else { return nil }
            let isOfProxy = session.method == .proxy
            guard user.map({ $0.name == session.person.name }) ?? !isOfProxy else { return nil }
            if isOfProxy, let user, user.changes(session.person) {
                session.person = try connection.transaction {
                    // Another request may have changed it since.
                    guard let person = try PeopleDirectory.find(user.name, on: connection) else {
                        return session.person
                    }
                    return try user.updated(person, from: address, on: connection)
                }
            }
            return (session, try CellDirectory(connection).apps())
        }
    }

    func address(of request: Request, _ context: LandfallRequestContext) -> IPAddress {
        addresses.client(request.headers, socket: context.channel.remoteAddress)
    }

    func cookie(_ request: Request, _ context: LandfallRequestContext) -> ConsoleCookie {
        ConsoleCookie(request, context, hasProxy: proxy != nil || !addresses.trustedProxies.isEmpty)
    }

    /// Where the browser found the console. Except on the machine itself, it keeps sessions only over HTTPS.
    private func origin(_ request: Request, _ context: LandfallRequestContext) -> String? {
        request.head.authority.map { authority in
            "\(cookie(request, context).isLoopback ? "http" : "https")://\(authority)"
        }
    }
}

/// A person looks at a page, or sends a form of one.
struct Visit: Sendable {
    let session: Session
    let apps: [App]
    /// The app of the path; `nil` if the path names none.
    let app: App?
    /// The cell of that app, otherwise the front one.
    let cell: Cell
    /// The time of the cell's clock.
    let now: Instant
    let path: String
    /// The parts of the path that its route names, as they were sent.
    let segments: Parameters
    let parameters: QueryParameters
    /// The address to which events are posted; `nil` if the console does not know it.
    let origin: String?
    let address: IPAddress

    var person: Person { session.person }

    var pool: PostgresPool { cell.pool }
    /// Connections for work whose time depends on the number of tokens or items.
    var patientPool: PostgresPool { cell.patientPool }

    /// The person's role in the path's app; on pages about no app, the highest for all apps.
    var role: Role {
        let grants = person.grants
        return (app.map { grants.role(in: $0) } ?? grants.everywhere) ?? .viewer
    }

    var administered: [App] {
        apps.filter { app in person.grants.role(in: app).map { $0 >= .admin } ?? false }
    }

    /// Also true for an admin of all apps before there is one.
    var administersApps: Bool { person.grants.everywhere == .admin || !administered.isEmpty }

    func links(
        filter: @escaping @Sendable (_ dimension: String, _ value: String) -> String? = { _, _ in nil },
        order: PageOrder? = nil
    ) -> PageLinks {
        PageLinks(filter: filter, glossary: { "/glossary#\($0)" }, order: order, server: origin)
    }

    /// The segment of the path that the route calls this; 404 if it cannot be read.
    func segment<Value>(_ name: String, _ read: (String) -> Value?) throws(Problem) -> Value {
        guard let value = segments.get(name).flatMap(read) else { throw Problem.notFound() }
        return value
    }

    /// - Throws: 404 if the path names no app.
    func requireApp() throws(Problem) -> App {
        guard let app else { throw Problem.notFound() }
        return app
    }

    /// The form that the person sent; 403 if it is not one of this session's.
    func form(_ request: Request) async throws -> ConsoleForm {
        let form = try await ConsoleForm(request)
        guard session.accepts(formToken: try form.field(ConsoleForm.tokenField)) else {
            throw Problem(
                .forbidden, "form_expired", "this form is not one of this session: load the page again")
        }
        return form
    }
}

/// The request has no session: the person has to sign in, and then returns to the path.
struct SignInNeeded: Error {
    let path: String
}

/// The cookie that carries a session's secret. Browsers keep `__Host-` cookies only over HTTPS, and never
/// send them to another host. A console opened on the machine itself has no HTTPS, so its name is plain.
struct ConsoleCookie {
    /// Whether the browser reaches the server directly, on the machine itself.
    let isLoopback: Bool

    /// - Parameter hasProxy: whether a proxy is set. Then the connection says nothing about the browser.
    init(_ request: Request, _ context: LandfallRequestContext, hasProxy: Bool) {
        let socket = context.channel.remoteAddress.flatMap { IPAddress($0) }
        isLoopback =
            !hasProxy && socket?.isLoopback == true && Self.namesLoopback(request.head.authority)
            && !request.headers.contains { Self.isOfProxy($0.name) }
    }

    /// Whether only proxies send the field.
    private static func isOfProxy(_ name: HTTPField.Name) -> Bool {
        let name = name.canonicalName
        return name.hasPrefix("x-forwarded") || fieldsOfProxies.contains(name)
    }

    private static let fieldsOfProxies: Set = [
        "forwarded", "via", "x-real-ip", "x-client-ip", "x-cluster-client-ip", "x-original-host",
        "x-original-url", "x-scheme", "cf-connecting-ip", "cf-visitor", "true-client-ip",
        "fastly-client-ip", "front-end-https",
    ]

    /// Whether the browser was asked to open this machine, so that no other site's name leads here.
    private static func namesLoopback(_ authority: String?) -> Bool {
        guard let authority else { return false }
        return ["localhost", "127.0.0.1", "[::1]"].contains { host in
            authority == host || authority.hasPrefix(host + ":")
        }
    }

    var name: String { isLoopback ? "landfall" : "__Host-landfall" }

    func secret(of request: Request) -> Secret? { request.cookies[name].flatMap { Secret(text: $0.value) } }

    /// The `Set-Cookie` that begins a session. Without `Max-Age`, so it ends with the browser at the latest.
    func beginning(_ secret: Secret) -> String { field(secret.text) }

    var ending: String { field("") + "; Max-Age=0" }

    private func field(_ value: String) -> String {
        "\(name)=\(value); Path=/; HttpOnly; SameSite=Lax\(isLoopback ? "" : "; Secure")"
    }
}
