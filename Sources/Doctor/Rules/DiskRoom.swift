internal import DeliveryModel
internal import PostgresClient

/// How fast the notifications fill the disk, from their own figures of the last two weeks.
enum DiskRoom: SingleDiagnosis {
    static let subject = "room of notifications"
    static let isAboutTraffic = false
    private static let days: Int64 = 14

    struct Fact: Hashable, Decodable {
        /// The room of the notifications of the two weeks, whose days are not packed yet.
        let bytes: Int64
        let notifications: Int64
        let oldestDay: Instant?
        let packsDays: Bool
        let retentionDays: Int64?

        var bytesEach: Int64 { bytes / max(notifications, 1) }
        /// Each day, one is added; a packed one takes half of its room.
        var bytesPerDay: Int64 { max(bytes / days / (packsDays ? 2 : 1), 1) }
    }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> Fact {
        let today = examination.asOf.startOfUTCDay
        return try connection.query(.Maintenance.growth, [.value(today - .days(days)), .value(today)])
            .single().decode()
    }

    static func examined(_ fact: Fact, _ examination: Examination) -> Examined {
        guard fact.notifications >= examination.rules.grownNotifications else {
            return .tooLittle("\(Words.number(fact.notifications)) notifications in \(days) days")
        }
        return .judged("\(fact.bytesEach) bytes each, \(room(fact.bytesPerDay)) more every day")
    }

    static func finding(_ fact: Fact, _ examination: Examination) -> Finding? {
        let rules = examination.rules
        guard let free = examination.freeBytes, fact.notifications >= rules.grownNotifications,
            let oldestDay = fact.oldestDay, let retentionDays = fact.retentionDays
        else { return nil }
        let left = free / fact.bytesPerDay
        // From then on, as much is dropped as is added.
        let fullRetention = oldestDay + .days(retentionDays)
        guard left < rules.diskDays, examination.asOf + .days(left) < fullRetention else { return nil }
        return Finding(
            .diskFilling, left < rules.diskProblemDays ? .problem : .warning,
            "Notifications take \(fact.bytesEach) bytes each, and the database grows by "
                + "\(room(fact.bytesPerDay)) a day: the \(room(free)) that are free last for "
                + "\(Words.count(left, "day")).",
            "If the disk is full, posts get 503. The retention of \(Words.count(retentionDays, "day")) is "
                + "reached at \(Words.time(fullRetention)); only then, as much is dropped as is added.",
            (fact.packsDays
                ? "" : "Let maintenance pack old days, which halves them (retention.packed_after). ")
                + "Shorten the retention, move old days to files with 'landfall archive FOLDER --before 90d "
                + "--drop', or enlarge the disk (docs/scaling.md).",
            command: ["landfall", "maintain"],
            evidence: [
                .init("bytes_per_notification", .integer(fact.bytesEach)),
                .init("notifications_per_day", .integer(fact.notifications / days)),
                .init("bytes_per_day", .integer(fact.bytesPerDay)), .init("free_bytes", .integer(free)),
                .init("days_left", .integer(left)), .init("packs_days", .bool(fact.packsDays)),
            ])
    }

    private static func room(_ bytes: Int64) -> String {
        bytes < 10_000_000_000
            ? "\(Words.number(bytes / 1_000_000)) MB" : "\(Words.number(bytes / 1_000_000_000)) GB"
    }
}
