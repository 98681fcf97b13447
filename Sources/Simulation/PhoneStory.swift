internal import Basics

/// Decides what happens to one phone during the window.
struct PhoneStory {
    let settings: SimulationSettings
    let schedule: CampaignSchedule
    var random: SeededRandom
    var phone: Phone

    init(phone index: Int, settings: SimulationSettings, schedule: CampaignSchedule, random: SeededRandom) {
        var random = random
        let life = PhoneLife.of(phone: index, in: settings.scenario)
        var software = Software.any(&random, in: settings.scenario)
        if life == .wrongEnvironment { software.build = .sandbox }
        self.settings = settings
        self.schedule = schedule
        self.phone = Phone(
            life: life,
            traits: .any(index: index, reportsClock: settings.reportsDeviceClock, &random),
            initialSoftware: software)
        self.random = random
    }

    /// Returns the phone with all its registrations. `random` then continues with the rest of its traffic.
    mutating func told() -> Phone {
        begin()
        liveOn()
        if phone.life.isEverRegistered {
            checkInNowAndThen()
            settleSoftware()
        }
        loseNetwork()
        if settings.scenario == .tokenPurge { perhapsBePurged() }
        return phone
    }

    /// The first installation with its first token.
    private mutating func begin() {
        let isEarly = phone.life != .steady || random.chance(0.8)
        let first =
            isEarly ? random.span(0, .minutes(14)) + settings.start : random.instant(in: laterInstalls)
        addToken(knownFrom: first)
        guard phone.life.isEverRegistered else {
            phone.tokens[0].settle(on: nil, from: first)
            return
        }
        install(token: 0, at: first)
    }

    private var laterInstalls: Range<Int64> {
        (settings.start + .minutes(20))..<max(settings.moment(0.85), settings.start + .minutes(21))
    }

    private mutating func liveOn() {
        switch phone.life {
        case .steady, .wrongEnvironment, .wrongTopic, .senderOnly, .malformedToken, .rejectedOnce: break
        case .rotates: rotate()
        case .reinstallsKeepingToken: reinstall(keepsToken: true)
        case .reinstallsWithNewToken: reinstall(keepsToken: false)
        case .uninstalls: uninstall()
        case .returnsAfterRejection: returnAfterRejection()
        case .returnsBeforeRejection: returnBeforeRejection()
        }
    }

    private mutating func loseNetwork() {
        guard random.chance(0.1) else { return }
        let start = settings.moment(random.share(0, 0.9))
        let isPutAway = random.chance(0.12)
        let length =
            isPutAway
            ? random.span(.hours(48), .hours(120)) : random.logNormal(median: .hours(5), sigma: 1)
        phone.offline = start..<(start + max(length, .minutes(10)))
    }
}

// MARK: - Steps of a life

extension PhoneStory {
    private var scopes: (registered: TokenScope, addressed: TokenScope) {
        let topic = "com.example.shop"
        let usual = TokenScope(environment: "production", topic: topic)
        switch phone.life {
        case .wrongEnvironment: return (TokenScope(environment: "sandbox", topic: topic), usual)
        case .wrongTopic: return (TokenScope(environment: "production", topic: topic + ".beta"), usual)
        default: return (usual, usual)
        }
    }

    mutating func addToken(knownFrom instant: Int64) {
        let value = random.hexDigits(64)
        phone.tokens.append(
            PhoneToken(
                value: value, registeredIn: scopes.registered, addressedIn: scopes.addressed,
                onSendersList: instant..<Int64.max))
    }

    /// A new installation registers a token.
    mutating func install(token: Int, at instant: Int64, change: SoftwareChange = .none) {
        phone.installations.append(.versionFour(&random))
        register(token: token, at: instant, change: change)
        phone.tokens[token].settle(on: phone.installations.count - 1, from: instant)
    }

    /// Plans a registration of the newest installation.
    mutating func register(token: Int?, at instant: Int64, change: SoftwareChange = .none) {
        add(installation: phone.installations.count - 1, token: token, at: instant, change: change)
    }

    private mutating func add(installation: Int, token: Int?, at instant: Int64, change: SoftwareChange) {
        phone.registrations.append(
            PlannedRegistration(
                at: instant, installation: installation, token: token, change: change,
                software: phone.initialSoftware))
    }

    /// The app is opened a few times; most launches register the token again, as Apple advises.
    private mutating func checkInNowAndThen() {
        for _ in 0..<random.below(4) {
            let instant = settings.moment(random.share(0.02, 0.96))
            let isFarFromOthers = phone.registrations.allSatisfy { abs($0.at - instant) >= .slice }
            guard isFarFromOthers, let (token, installation) = resident(at: instant) else { continue }
            let change = softwareChange()
            add(
                installation: installation, token: random.chance(0.75) ? token : nil, at: instant,
                change: change)
        }
    }

    private func resident(at instant: Int64) -> (token: Int, installation: Int)? {
        for (position, token) in phone.tokens.enumerated() {
            if let installation = token.residency(at: instant)?.installation {
                return (position, installation)
            }
        }
        return nil
    }

    private mutating func softwareChange() -> SoftwareChange {
        switch random.below(100) {
        case 0..<25: .appUpdate
        case 25..<29: .permission(.denied)
        case 29..<33: .permission(.authorized)
        default: .none
        }
    }

    private mutating func settleSoftware() {
        phone.registrations.sort { $0.at < $1.at }
        var software = phone.initialSoftware
        for position in phone.registrations.indices {
            software.apply(phone.registrations[position].change)
            phone.registrations[position].software = software
        }
    }
}
