internal import DeliveryModel
internal import PostgresClient
internal import Reports

/// The trouble that devices report: dropped events, extensions without an App Group, and clocks that are off.
enum DeviceTroubles: Diagnosis {
    static let subject = "trouble on devices"
    static let isAboutTraffic = false

    /// `device_trouble.trouble`.
    enum Trouble: String, CaseIterable, Decodable {
        case dropped, unshared, clock
    }

    struct Facts: Hashable {
        struct Count: Hashable, Decodable {
            let trouble: Trouble
            /// The app version of the devices' installations; empty if they are not registered.
            let appVersion: String
            let kit: String
            let events: Int64
            let devices: Int64
            /// The most events that one device reported.
            let largest: Int64
        }

        /// The most events first.
        let counts: [Count]
        /// All items that were posted.
        let received: Int64

        func of(_ trouble: Trouble) -> [Count] { counts.filter { $0.trouble == trouble } }

        /// Whether the finding holds without the device that reported most, which may be an attacker's.
        func isSure(_ trouble: Trouble, from least: Int64, _ rules: DoctorRules) -> Bool {
            let counts = of(trouble)
            return counts.total(\.devices) >= rules.troubledDevices
                && counts.total(\.events) - (counts.map(\.largest).max() ?? 0) >= least
        }

        /// The versions that it is about: `7.1.0 with kit 0.1.0 (312)`.
        func versions(_ trouble: Trouble) -> String {
            Words.list(
                of(trouble).map { count in
                    let version = count.appVersion.isEmpty ? "an unknown version" : count.appVersion
                    let kit = count.kit.isEmpty ? "" : " with kit \(count.kit)"
                    return "\(version)\(kit) (\(Words.number(count.events)))"
                })
        }
    }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> Facts {
        let rows = try examination.query(.Doctor.deviceTroubles, examination.recent, on: connection)
        // Another version of Landfall may know more kinds of trouble.
        let known = try rows.filter { Trouble(rawValue: try $0.get("trouble")) != nil }
        return Facts(
            counts: try known.map { try $0.decode() }, received: try rows.first?.get("received") ?? 0)
    }

    static func examined(_ facts: Facts, _ examination: Examination) -> Examined {
        guard !facts.counts.isEmpty else { return .judged("none reported") }
        let (dropped, unshared, clock) = (facts.of(.dropped), facts.of(.unshared), facts.of(.clock))
        return .judged(
            "\(Words.count(dropped.total(\.events), "event")) dropped, "
                + "\(Words.number(unshared.total(\.events))) without an App Group, "
                + "\(Words.number(clock.total(\.events))) with a wrong clock")
    }

    static func findings(_ facts: Facts, _ examination: Examination) -> [Finding] {
        Trouble.allCases.compactMap { finding($0, facts, examination) }
    }

    private static func finding(_ trouble: Trouble, _ facts: Facts, _ examination: Examination) -> Finding? {
        let (rules, versions) = (examination.rules, facts.versions(trouble))
        let events = facts.of(trouble).total(\.events)
        let least =
            switch trouble {
            case .dropped: rules.droppedEvents
            case .unshared: rules.unsharedArrivals
            case .clock: rules.wrongClocks
            }
        guard facts.isSure(trouble, from: least, rules) else { return nil }
        switch trouble {
        case .dropped:
            return Finding(
                .eventsDropped, .warning,
                "\(Words.count(facts.of(.dropped).total(\.devices), "device")) dropped "
                    + "\(Words.count(events, "event")) that they could not upload: app version \(versions).",
                "A device keeps up to 1,000 events for up to 30 days. Beyond that, the oldest are lost, so "
                    + "arrivals and clicks are too low.",
                "Look for devices that cannot reach the server: an address that some networks block, an "
                    + "expired certificate, or a device key that was revoked.",
                command: examination.command("extension"), evidence: [.init("dropped", .integer(events))])
        case .unshared:
            return Finding(
                .appGroupMissing, .warning,
                "\(Words.count(events, "arrival")) came from a notification service extension that shares no "
                    + "folder with its app: app version \(versions).",
                "The app cannot upload what the extension recorded without a network, so such arrivals come "
                    + "late or not at all.",
                "Add the same App Group to the app and to the extension, and name it in both. Check the "
                    + "build before it is released: landfall kit check app.ipa.",
                command: examination.command("extension"), evidence: [.init("unshared", .integer(events))])
        case .clock:
            guard Double(events) >= rules.wrongClockShare * Double(facts.received) else { return nil }
            return Finding(
                .deviceClocks, .warning,
                "\(Words.count(events, "arrival")) came from devices whose clock is more than 5 minutes off, "
                    + "among \(Words.count(facts.received, "item")) posted: app version \(versions).",
                "Their times were corrected by reported_at. Few devices have a wrong clock, so a share like "
                    + "this usually comes from the app, or from the server's own clock.",
                "Set reported_at when the request is made, not when the event happens, and repeat no request "
                    + "with its old reported_at. Check that the server's clock is synchronized.",
                command: examination.command("latency"),
                evidence: [.init("clock", .integer(events)), .init("received", .integer(facts.received))])
        }
    }
}

/// Categories of notifications that the app has not registered with the system.
enum MissingCategories: SingleDiagnosis {
    static let subject = "categories of notifications"
    static let isAboutTraffic = false

    struct Fact: Hashable, Decodable {
        let category: String
        let installations: Int64
        /// One of theirs; empty if unknown.
        let appVersion: String
    }

    private static let mostCategories: Int64 = 20

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> [Fact] {
        try examination.query(
            .Doctor.missingCategories, examination.recent, .value(mostCategories), on: connection
        ).decode()
    }

    static func examined(_ facts: [Fact], _ examination: Examination) -> Examined {
        let missing = Words.count(Int64(facts.count), "category", "categories")
        return .judged(facts.isEmpty ? "none missing" : "\(missing) missing")
    }

    static func finding(_ facts: [Fact], _ examination: Examination) -> Finding? {
        let missing = facts.filter { $0.installations >= examination.rules.missingCategories }
        guard let most = missing.first else { return nil }
        let names = missing.map { "\($0.category) (\(Words.number($0.installations)))" }
        return Finding(
            .categoriesMissing, .warning,
            "Installations showed notifications of categories that their app has not registered: "
                + "\(Words.list(names)); app version \(most.appVersion.isEmpty ? "unknown" : most.appVersion), among others.",
            "The system shows such a notification without its actions, and reports no dismissal of it. So no "
                + "action is clicked, and none of them counts as dismissed.",
            "Register the categories with UNUserNotificationCenter.setNotificationCategories at every launch, with one call "
                + "for all of them, or send the category names that the released versions know.",
            command: examination.command("clicks", options: ["--by", "app_version"]),
            evidence: [
                .init("categories", .object(missing.map { .init($0.category, .integer($0.installations)) }))
            ])
    }
}
