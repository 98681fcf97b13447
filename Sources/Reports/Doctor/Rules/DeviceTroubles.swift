internal import Access
internal import Documents
internal import PostgresClient
internal import SQLFiles
internal import Wording

/// What devices say about their own trouble: events that they dropped, extensions without an App Group, and clocks that are off.
enum DeviceTroubles: Diagnosis {
    static let subject = "trouble on devices"
    static let isAboutTraffic = false

    /// `device_trouble.trouble`.
    enum Trouble: String, CaseIterable {
        case dropped
        case unshared
        case clock
    }

    struct Facts: Hashable {
        struct Count: Hashable {
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

        func total(_ trouble: Trouble) -> Int64 {
            counts.filter { $0.trouble == trouble }.reduce(0) { $0 + $1.events }
        }

        func devices(_ trouble: Trouble) -> Int64 {
            counts.filter { $0.trouble == trouble }.reduce(0) { $0 + $1.devices }
        }

        /// Whether the finding holds without the device that reported most, which may be an attacker's.
        func isSure(_ trouble: Trouble, from least: Int64, _ rules: DoctorRules) -> Bool {
            let largest = counts.filter { $0.trouble == trouble }.map(\.largest).max() ?? 0
            return devices(trouble) >= rules.troubledDevices && total(trouble) - largest >= least
        }

        /// The versions that it is about: `7.1.0 with kit 0.1.0 (312)`.
        func versions(_ trouble: Trouble) -> String {
            Words.list(
                counts.filter { $0.trouble == trouble }.map { count in
                    let version = count.appVersion.isEmpty ? "an unknown version" : count.appVersion
                    let kit = count.kit.isEmpty ? "" : " with kit \(count.kit)"
                    return "\(version)\(kit) (\(Words.number(count.events)))"
                })
        }
    }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> Facts {
        let rows = try examination.query(.Doctor.deviceTroubles, examination.recent, on: connection)
        var (counts, received): ([Facts.Count], Int64) = ([], 0)
        for row in rows {
            received = try row.get("received")
            guard let trouble = Trouble(rawValue: try row.get("trouble")) else { continue }
            counts.append(
                Facts.Count(
                    trouble: trouble, appVersion: try row.get("app_version"), kit: try row.get("kit"),
                    events: try row.get("events"), devices: try row.get("devices"),
                    largest: try row.get("largest")))
        }
        return Facts(counts: counts, received: received)
    }

    static func examined(_ facts: Facts, _ examination: Examination) -> Examined {
        guard !facts.counts.isEmpty else { return .judged("none reported") }
        return .judged(
            "\(Words.count(facts.total(.dropped), "event", "events")) dropped, "
                + "\(Words.number(facts.total(.unshared))) without an App Group, "
                + "\(Words.number(facts.total(.clock))) with a wrong clock")
    }

    static func findings(_ facts: Facts, _ examination: Examination) -> [Finding] {
        [dropped(facts, examination), unshared(facts, examination), clocks(facts, examination)]
            .compactMap(\.self)
    }

    private static func dropped(_ facts: Facts, _ examination: Examination) -> Finding? {
        let events = facts.total(.dropped)
        guard facts.isSure(.dropped, from: examination.rules.droppedEvents, examination.rules) else {
            return nil
        }
        return Finding(
            .eventsDropped, .warning,
            "\(Words.count(facts.devices(.dropped), "device", "devices")) dropped "
                + "\(Words.count(events, "event", "events")) that they could not upload: app version "
                + "\(facts.versions(.dropped)).",
            "A device keeps up to 1,000 events for up to 30 days. Beyond that, the oldest are lost, so "
                + "arrivals and clicks are too low.",
            "Look for devices that cannot reach the server: an address that some networks block, an expired "
                + "certificate, or a device key that was revoked.",
            command: examination.command("extension"), evidence: [.init("dropped", .integer(events))])
    }

    private static func unshared(_ facts: Facts, _ examination: Examination) -> Finding? {
        let arrivals = facts.total(.unshared)
        guard facts.isSure(.unshared, from: examination.rules.unsharedArrivals, examination.rules) else {
            return nil
        }
        return Finding(
            .appGroupMissing, .warning,
            "\(Words.count(arrivals, "arrival", "arrivals")) came from a notification service extension that "
                + "shares no folder with its app: app version \(facts.versions(.unshared)).",
            "The app cannot upload what the extension recorded without a network, so such arrivals come late or not at all.",
            "Add the same App Group to the app and to the extension, and name it in both. Check the build "
                + "before it is released: landfall kit check app.ipa.",
            command: examination.command("extension"), evidence: [.init("unshared", .integer(arrivals))])
    }

    private static func clocks(_ facts: Facts, _ examination: Examination) -> Finding? {
        let arrivals = facts.total(.clock)
        guard facts.isSure(.clock, from: examination.rules.wrongClocks, examination.rules),
            Double(arrivals) >= examination.rules.wrongClockShare * Double(facts.received)
        else { return nil }
        return Finding(
            .deviceClocks, .warning,
            "\(Words.count(arrivals, "arrival", "arrivals")) came from devices whose clock is more than 5 minutes off, among "
                + "\(Words.count(facts.received, "item", "items")) posted: app version \(facts.versions(.clock)).",
            "Their times were corrected by reported_at. Few devices have a wrong clock, so a share like this "
                + "usually comes from the app, or from the server's own clock.",
            "Set reported_at when the request is made, not when the event happens, and repeat no request "
                + "with its old reported_at. Check that the server's clock is synchronized.",
            command: examination.command("latency"),
            evidence: [.init("clock", .integer(arrivals)), .init("received", .integer(facts.received))])
    }
}

/// Categories of notifications that the app has not registered with the system.
enum MissingCategories: SingleDiagnosis {
    static let subject = "categories of notifications"
    static let isAboutTraffic = false

    struct Fact: Hashable {
        let category: String
        let installations: Int64
        /// One of theirs; empty if unknown.
        let appVersion: String
    }

    private static let mostCategories: Int64 = 20

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> [Fact] {
        try examination.query(
            .Doctor.missingCategories, examination.recent, .value(mostCategories), on: connection
        ).map { row in
            Fact(
                category: try row.get("category"), installations: try row.get("installations"),
                appVersion: try row.get("app_version"))
        }
    }

    static func examined(_ facts: [Fact], _ examination: Examination) -> Examined {
        .judged(
            facts.isEmpty
                ? "none missing" : "\(Words.count(Int64(facts.count), "category", "categories")) missing")
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
                .init(
                    "categories",
                    .object(missing.map { .init($0.category, .integer($0.installations)) }))
            ])
    }
}
