internal import DeliveryModel
internal import Hummingbird
internal import People
internal import ServiceLifecycle

/// Pages for people, next to the interface for programs. The URL of a page is all its state.
struct Console: Sendable {
    let backend: Backend
    let configuration: ServerConfiguration
    let observer: RequestObserver
    private let desk: ReportDesk
    private let streams: OpenStreams
    private let changes: LiveChanges

    var services: [any Service] { [streams, changes] }

    init(backend: Backend, configuration: ServerConfiguration, observer: RequestObserver) {
        (self.backend, self.configuration, self.observer) = (backend, configuration, observer)
        desk = ReportDesk(configuration, backend: backend)
        let front = backend.front
        streams = OpenStreams(pool: front.pool, clock: front.clock)
        changes = LiveChanges(desk: desk, streams: streams)
    }

    func addRoutes(to router: Router<LandfallRequestContext>) {
        let group = router.group().add(middleware: ConsoleMiddleware(observer: observer))
        let front = backend.front
        let entrance = Entrance(
            cells: backend.cells,
            addresses: ClientAddresses(trustedProxies: configuration.limits.trustedProxies),
            proxy: ProxySignIn(configuration), takesEvents: configuration.web.port == nil)
        let routes = ConsoleRoutes(group: group, entrance: entrance)
        ConsoleAsset.addRoutes(to: group)
        SignInController(
            entrance: entrance, guesses: SignInGuesses(now: configuration.limits.steadyTime),
            cost: configuration.web.passphraseCost
        ).addRoutes(to: group)
        let recent = RecentPages(capacity: 200)
        let parts = RecentParts(desk: desk)
        AppPages(desk: desk, parts: parts).addRoutes(to: routes)
        DoctorPages(desk: desk, parts: parts).addRoutes(to: routes)
        ReportPages(desk: desk, recent: recent).addRoutes(to: routes)
        CampaignPages(desk: desk, recent: recent).addRoutes(to: routes)
        BreakerPages().addRoutes(to: routes)
        QuarantinePages().addRoutes(to: routes)
        ExplainPages(desk: desk, vault: backend.vault).addRoutes(to: routes)
        if let tail = backend.tail {
            LivePages(tail: tail, streams: streams).addRoutes(to: routes)
        }
        ConnectPages(desk: desk).addRoutes(to: routes)
        ErasePages().addRoutes(to: routes)
        AnnotationPages().addRoutes(to: routes)
        SharePages(pool: front.pool, desk: desk, clock: front.clock).addRoutes(to: routes)
        PeoplePages(pool: front.pool).addRoutes(to: routes)
        KeyPages(cells: backend.cells).addRoutes(to: routes)
        SettingsPages(desk: desk, parts: parts).addRoutes(to: routes)
        changes.addRoutes(to: routes)
    }
}

/// Adds pages and forms whose visitors are signed in.
struct ConsoleRoutes {
    let group: RouterGroup<LandfallRequestContext>
    let entrance: Entrance

    func get(
        _ path: RouterPath, as role: Role = .viewer,
        _ response: @escaping @Sendable (Visit, Request) async throws -> Response
    ) {
        group.get(path) { [entrance] request, context in
            try await response(try await entrance.visit(request, context, as: role), request)
        }
    }

    /// A form that changes something. The response leads to the page with the result, or is one itself.
    func post(
        _ path: RouterPath, as role: Role,
        _ response: @escaping @Sendable (Visit, ConsoleForm) async throws -> Response
    ) {
        group.post(path) { [entrance] request, context in
            let visit = try await entrance.visit(request, context, as: role)
            return try await response(visit, try await visit.form(request))
        }
    }

    func page(
        _ path: RouterPath, as role: Role = .viewer,
        _ page: @escaping @Sendable (Visit) async throws -> ConsolePage
    ) { get(path, as: role) { visit, _ in try await page(visit).response(for: visit) } }

    // MARK: - About one app

    func page(
        inApp path: String, as role: Role = .viewer,
        _ page: @escaping @Sendable (Visit, App) async throws -> ConsolePage
    ) { self.page("apps/:app/\(path)", as: role) { try await page($0, try $0.requireApp()) } }

    func post(
        inApp path: String, as role: Role,
        _ response: @escaping @Sendable (Visit, App, ConsoleForm) async throws -> Response
    ) { post("apps/:app/\(path)", as: role) { try await response($0, try $0.requireApp(), $1) } }
}
