internal import Basics

/// Whether, and how, a phone shows an app's notifications.
enum Permission: String {
    case authorized
    case provisional
    case ephemeral
    case denied
    case notDetermined = "not_determined"

    /// False if APNs still responds with 200 but the phone discards the notification.
    var showsAlerts: Bool { self != .denied && self != .notDetermined }
}

/// A released version of the app.
struct SimulatedBuild: Equatable {
    let version: String
    let hasExtension: Bool

    /// The last release before the notification service extension.
    static let beforeExtension = SimulatedBuild(version: "6.9.2", hasExtension: false)
    static let previous = SimulatedBuild(version: "7.0.1", hasExtension: true)
    static let current = SimulatedBuild(version: "7.1.0", hasExtension: true)
    static let latest = SimulatedBuild(version: "7.2.0", hasExtension: true)
    /// Signed for the sandbox, although the sender pushes to it in production.
    static let sandbox = SimulatedBuild(version: "7.3.0-beta.1", hasExtension: true)
}

/// The software of a phone at one instant.
struct Software {
    var build: SimulatedBuild
    var osVersion: String
    var permission: Permission

    static let upgradedOS = "26.0.1"
    private static let builds = WeightedTable(
        SimulatedBuild.current, 50, [(.previous, 22), (.latest, 16), (.beforeExtension, 12)])
    private static let buildsWithExtension = WeightedTable(
        SimulatedBuild.current, 50, [(.previous, 26), (.latest, 24)])
    private static let osVersions = WeightedTable(
        "18.5", 40, [("18.3.1", 20), ("26.0", 20), ("18.1", 12), ("17.7.2", 8)])
    private static let permissions = WeightedTable(
        Permission.authorized, 68, [(.provisional, 12), (.denied, 12), (.notDetermined, 6), (.ephemeral, 2)])

    static func any(_ random: inout SeededRandom, in scenario: TrafficScenario) -> Software {
        Software(
            build: random.choice(scenario.isSound ? buildsWithExtension : builds),
            osVersion: random.choice(osVersions),
            permission: random.choice(permissions))
    }

    mutating func apply(_ change: SoftwareChange) {
        switch change {
        case .none: break
        case .osUpgrade: osVersion = Self.upgradedOS
        case .appUpdate: if build != .sandbox { build = .latest }
        case .permission(let permission): self.permission = permission
        }
    }
}

/// A change since the previous registration.
enum SoftwareChange {
    case none
    case osUpgrade
    case appUpdate
    case permission(Permission)
}

extension SimulationSettings {
    func hasExtension(_ build: SimulatedBuild) -> Bool {
        build.hasExtension && (scenario != .lostExtension || build != .latest)
    }
}

/// The properties of a phone that never change.
struct PhoneTraits {
    let model: String
    let language: String
    let timeZone: String
    let account: String?
    let tags: [String]
    /// The phone's clock minus the true time, in milliseconds.
    let clockSkew: Int64

    private static let models = WeightedTable(
        "iPhone15,2", 20,
        [("iPhone16,1", 20), ("iPhone17,1", 15), ("iPhone14,7", 15), ("iPhone13,2", 12), ("iPhone12,8", 10)])
    private static let places = WeightedTable(
        ("de", "Europe/Berlin"), 34,
        [
            (("en", "America/New_York"), 20), (("en", "Europe/London"), 14), (("fr", "Europe/Paris"), 12),
            (("es", "Europe/Madrid"), 8), (("ja", "Asia/Tokyo"), 7), (("hi", "Asia/Kolkata"), 5),
        ])

    static func any(index: Int, reportsClock: Bool, _ random: inout SeededRandom) -> PhoneTraits {
        let (language, timeZone) = random.choice(places)
        let hasWrongClock = random.chance(0.03)
        let skew = hasWrongClock ? random.span(-.hours(2), .hours(2)) : random.span(-800, 800)
        return PhoneTraits(
            model: random.choice(models), language: language, timeZone: timeZone,
            account: random.chance(0.6) ? "customer-\(index)" : nil,
            tags: random.chance(0.05) ? ["vip"] : [],
            clockSkew: reportsClock ? skew : 0)
    }
}
