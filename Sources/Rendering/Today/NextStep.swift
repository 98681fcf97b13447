package import DeliveryModel
internal import Doctor
package import Reports
internal import TokenLifecycle

/// A suggested command, and the reason for it.
package struct NextStep: Equatable, Sendable {
    let command: String
    let reason: String

    package init(command: String, reason: String) {
        (self.command, self.reason) = (command, reason)
    }

    var document: JSONValue { ["command": .string(command), "reason": .string(reason)] }

    /// If there is no database yet.
    package static let withoutDatabase = [
        NextStep(
            command: "landfall demo",
            reason: "shows everything with a day of simulated traffic, and leaves nothing behind"),
        NextStep(
            command: "landfall-server",
            reason: "creates a private database with a first app and its keys, and shows how to post to it"),
        NextStep(
            command: "landfall migrate --database postgres://landfall@db.example.com/landfall",
            reason: "starts with your own PostgreSQL"),
    ]

    /// If there is no app yet.
    package static let withoutApp = [
        NextStep(
            command: "landfall app create shop", reason: "creates the app that all notifications belong to")
    ]

    package static func lines(_ steps: [NextStep], _ style: OutputStyle) -> [String] {
        let widest = steps.map { displayWidth($0.command) }.max() ?? 0
        return [style.paint("Try next", .title)]
            + steps.flatMap { step -> [String] in
                let line = "  \(padded(step.command, to: widest))  "
                guard displayWidth(line) + displayWidth(step.reason) > style.width ?? .max else {
                    return [line + style.paint(step.reason, .aside)]
                }
                return ["  \(step.command)"]
                    + folded(step.reason, indentation: 6, style).map { style.paint($0, .aside) }
            }
    }
}

extension NextStep {
    private init(
        _ name: String, _ options: String = "", app: App?, zone: ReportTimeZone? = nil, _ reason: String
    ) {
        self.init(command: Self.command(name, options, app: app, zone: zone), reason: reason)
    }

    /// The command with the app, if it must be named, and the time zone, if it is not UTC.
    ///
    /// - Parameter zone: `nil` for commands without a time zone.
    package static func command(_ name: String, _ options: String = "", app: App?, zone: ReportTimeZone?)
        -> String
    {
        let slug = app.map { "--app \(shellWord($0.slug))" } ?? ""
        let local = zone.flatMap { $0.name == "UTC" ? nil : "--tz \(shellWord($0.name))" } ?? ""
        return ["landfall", name, slug, local, options].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The next steps for one app, the most urgent first; there is always at least one.
    ///
    /// - Parameter namesApp: whether the commands name the app: there are several, or the user named it.
    package static func after(_ day: AppToday, _ health: TokenHealth?, namesApp: Bool) -> [NextStep] {
        let app = namesApp ? day.app : nil
        guard let last = day.lastQuarter else { return withoutNotifications(app) }
        return decisions(day, health, app) + troubles(day, health, app) + looks(day, last, app)
    }

    private static func decisions(_ day: AppToday, _ health: TokenHealth?, _ app: App?) -> [NextStep] {
        guard let held = health?.breakers, !held.isEmpty else { return [] }
        let tokens = grouped(held.reduce(0) { $0 + $1.heldTokens })
        return [
            NextStep(
                "tokens release", app: app,
                "plans the release of \(tokens) tokens that a breaker holds back; confirm retires them")
        ]
    }

    private static func troubles(_ day: AppToday, _ health: TokenHealth?, _ app: App?) -> [NextStep] {
        var steps: [NextStep] = []
        let rejected = day.rejected
        if day.hasManyRejections || day.mayBeIll || !(health?.breakers.isEmpty ?? true) {
            steps.append(NextStep("doctor", app: app, "reports recent problems in sentences, and what to do"))
        }
        if day.hasManyRejections {
            steps.append(
                NextStep(
                    "rejections", "--from today", app: app, zone: day.timeZone,
                    "shows why \(grouped(rejected.numerator)) of today's \(grouped(rejected.denominator)) pushes were rejected"
                ))
        }
        if day.received.rejected > 0 {
            steps.append(
                NextStep(
                    "quarantine list", "--from 24h", app: app,
                    "shows why \(grouped(day.received.rejected)) items of the last 24 hours were rejected"))
        }
        return steps
    }

    private static func looks(_ day: AppToday, _ last: Instant, _ app: App?) -> [NextStep] {
        let clock = StoryClock(timeZone: day.timeZone, now: day.asOf)
        let funnel =
            day.today.totals[.attempted] == 0
            ? NextStep(
                "funnel", "--from 30d --by day", app: app, zone: day.timeZone,
                "looks further back: nothing was sent today; the last push was \(clock.relative(last))")
            : NextStep(
                "funnel", "--from today --by campaign", app: app, zone: day.timeZone,
                "shows every stage and rate of today, with intervals")
        return [
            funnel, NextStep("watch", app: app, zone: day.timeZone, "shows this live, on the whole screen"),
        ]
    }

    private static func withoutNotifications(_ app: App?) -> [NextStep] {
        [
            NextStep(
                "key create", "--kind server", app: app,
                "creates the key with which your sender posts provider responses"),
            NextStep(
                command: "landfall demo",
                reason: "shows every report with a day of simulated traffic, and leaves nothing behind"),
        ]
    }
}

extension AppToday {
    /// The share of today's pushes.
    fileprivate var rejected: Proportion {
        let attempted = today.totals[.attempted]
        return Proportion(attempted - today.totals[.accepted], of: attempted)
    }

    /// Whether a tenth of today's pushes, if enough, was rejected. Usually, dead tokens cause a few.
    fileprivate var hasManyRejections: Bool { isMuch(rejected, share: 0.1) }

    /// Whether the day, at a glance, needs the doctor: many events without a response, many rejected items,
    /// or almost nothing sent although much was sent yesterday.
    fileprivate var mayBeIll: Bool {
        let unmatched = Proportion(
            today.unmatched.unmatched, of: today.unmatched.unmatched + today.totals[.attempted])
        let notTaken = Proportion(received.rejected, of: received.received)
        let before = yesterday.totals[.attempted]
        let isSilent = before >= DoctorRules().expected && today.totals[.attempted] * 10 <= before
        return isMuch(unmatched, share: DoctorRules().unmatchedShare)
            || isMuch(notTaken, share: DoctorRules().rejectedShare) || isSilent
    }

    private func isMuch(_ part: Proportion, share: Double) -> Bool {
        part.denominator >= DoctorRules().rejectionAttempts && part.value ?? 0 >= share
    }
}
