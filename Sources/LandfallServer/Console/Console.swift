internal import Hummingbird
internal import Rendering
internal import ServiceLifecycle

/// The web console: pages for people, next to the interface for programs. The URL of a page is all its state; the database keeps who
/// may see it.
struct Console: Sendable {
    let backend: Backend
    let configuration: ServerConfiguration
    let observer: RequestObserver
    private let streams: OpenStreams
    private let changes: LiveChanges

    /// The services that run as long as the server.
    var services: [any Service] { [streams, changes] }

    init(backend: Backend, configuration: ServerConfiguration, observer: RequestObserver) {
        (self.backend, self.configuration, self.observer) = (backend, configuration, observer)
        streams = OpenStreams(pool: backend.pool, clock: backend.clock)
        changes = LiveChanges(
            desk: ReportDesk(configuration, backend: backend), clock: backend.clock, streams: streams)
    }

    func addRoutes(to router: Router<LandfallRequestContext>) {
        let group = router.group().add(middleware: ConsoleMiddleware(observer: observer))
        let entrance = Entrance(
            pool: backend.pool, clock: backend.clock,
            addresses: ClientAddresses(trustedProxies: configuration.limits.trustedProxies),
            proxy: ProxySignIn(configuration), takesEvents: configuration.web.port == nil)
        let routes = ConsoleRoutes(group: group, entrance: entrance)
        let desk = ReportDesk(configuration, backend: backend)
        ConsoleAsset.addRoutes(to: group)
        SignInController(
            entrance: entrance, guesses: SignInGuesses(now: configuration.limits.steadyTime),
            cost: configuration.web.passphraseCost
        )
        .addRoutes(to: group)
        let recent = RecentPages(capacity: 200)
        let parts = RecentParts(desk: desk)
        AppPages(desk: desk, parts: parts).addRoutes(to: routes)
        DoctorPages(pool: backend.pool, desk: desk, parts: parts).addRoutes(to: routes)
        ReportPages(desk: desk, recent: recent).addRoutes(to: routes)
        CampaignPages(desk: desk, recent: recent).addRoutes(to: routes)
        BreakerPages(pool: backend.patientPool).addRoutes(to: routes)
        QuarantinePages(pool: backend.patientPool, recorder: backend.recorder, vault: backend.vault)
            .addRoutes(to: routes)
        ExplainPages(desk: desk, vault: backend.vault).addRoutes(to: routes)
        if let tail = backend.tail {
            LivePages(tail: tail, clock: backend.clock, streams: streams).addRoutes(to: routes)
        }
        ErasePages(pool: backend.patientPool).addRoutes(to: routes)
        AnnotationPages(pool: backend.pool).addRoutes(to: routes)
        SharePages(pool: backend.pool, desk: desk, clock: backend.clock).addRoutes(to: routes)
        PeoplePages(pool: backend.pool).addRoutes(to: routes)
        KeyPages(pool: backend.pool).addRoutes(to: routes)
        SettingsPages(pool: backend.pool, desk: desk, parts: parts).addRoutes(to: routes)
        changes.addRoutes(to: routes)
    }
}
