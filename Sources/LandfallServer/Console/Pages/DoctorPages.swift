internal import DeliveryModel
internal import Doctor
internal import Hummingbird
internal import People
internal import PostgresClient
internal import Rendering

/// What is wrong in an app now, and what was; and which of it people do not want to see for a while.
struct DoctorPages: Sendable {
    let desk: ReportDesk
    let parts: RecentParts

    private static let days: [(value: String, text: String)] = [
        ("1", "1 day"), ("7", "7 days"), ("30", "30 days"), ("90", "90 days"),
    ]
    private static let mostEpisodes = 200

    func addRoutes(to console: ConsoleRoutes) {
        console.page(inApp: "doctor") { try await findings($0, $1) }
        console.page(inApp: "doctor/mute", as: .operator) { try ask($0, $1) }
        console.post(inApp: "doctor/mute", as: .operator) { try await mute($0, $1, $2) }
        console.post(inApp: "doctor/unmute", as: .operator) { try await unmute($0, $1, $2) }
    }

    private func findings(_ visit: Visit, _ app: App) async throws -> ConsolePage {
        async let examined = parts.examination(of: app, for: visit)
        let (mutes, episodes) = try await desk.read(in: app.cell) { connection in
            (
                try FindingMutes.list(of: app, now: visit.now, on: connection),
                try FindingEpisodes.list(
                    of: app, since: visit.now - .days(30), limit: Self.mostEpisodes, on: connection)
            )
        }
        let report = try await examined
        let path = ConsolePlace.doctor.path(of: app.slug)
        let below =
            (mutes.isEmpty ? [] : [Self.muted(mutes, report.value, path, visit)]) + Self.history(episodes)
        return ConsolePage(title: "Doctor", place: .doctor, counting: report.counting, isLive: true) {
            visit.outcome
            report.content("Doctor") { report in
                DoctorPage(report, .page).htmlPage(muted: Set(mutes.map(\.finding))) { finding in
                    visit.role >= .operator ? "\(path)/mute?finding=\(finding.rawValue)" : nil
                }.content(and: below)
            }
            if report.value == nil { below }
        }
    }

    // MARK: - Below the findings

    private static func muted(
        _ mutes: [FindingMute], _ report: DoctorReport?, _ path: String, _ visit: Visit
    ) -> Markup {
        let rows = table(["Finding", "Until", "By", "Now"], mutes) { mute in
            mute.finding.rawValue
            mute.until.utcMinuteWithOffset
            Markup.name(mute.mutedBy)
            Markup.name(report?.findings.first { $0.id == mute.finding }?.sentence ?? "Not found now.")
        } acts: { mute in
            if visit.role >= .operator {
                postForm("\(path)/unmute", visit.session) {
                    hidden("finding", mute.finding.rawValue)
                    button { "Unmute" }
                }
            }
        }
        return .folded("Muted (\(mutes.count))", [rows])
    }

    @MarkupBuilder
    private static func history(_ episodes: [FindingEpisode]) -> [Markup] {
        let amount =
            episodes.isEmpty ? "None. " : episodes.count == mostEpisodes ? "The last \(mostEpisodes). " : ""
        h2 { "Findings of the last 30 days" }
        p(class: "caption") { "\(amount)The server examines the app about every 5 minutes." }
        if !episodes.isEmpty {
            table(["Finding", "Severity", "Since", "Until", "Sentence"], episodes) { episode in
                episode.finding
                episode.severity.rawValue
                episode.openedAt.utcMinuteWithOffset
                episode.resolvedAt?.utcMinuteWithOffset ?? "now"
                Markup.name(episode.sentence)
            }
        }
    }

    // MARK: - Muting

    private func finding(_ id: String) throws(Problem) -> Finding.ID {
        guard let finding = Finding.ID(rawValue: id), finding.isOfApp else {
            let known = Finding.ID.allCases.filter(\.isOfApp).map(\.rawValue).joined(separator: ", ")
            throw Problem.invalidParameter("'\(id)' is not a finding of an app: use one of \(known)")
        }
        return finding
    }

    private func ask(_ visit: Visit, _ app: App) throws -> ConsolePage {
        let finding = try finding(try visit.parameters.one("finding") ?? "")
        let path = ConsolePlace.doctor.path(of: app.slug)
        return .asking(
            "Mute \(finding.rawValue)", place: .doctor, visit,
            consequences: [
                "The page Today will not show this finding of \(app.slug), and the doctor's page will list it as muted, until the time is over.",
                "People and programs that run landfall doctor still see it.",
            ], button: "Mute", path: "\(path)/mute", back: path
        ) {
            hidden("finding", finding.rawValue)
            choice("For", "days", Self.days, selected: "7")
        }
    }

    private func mute(_ visit: Visit, _ app: App, _ form: ConsoleForm) async throws -> Response {
        let (finding, choice) = (try finding(try form.field("finding")), try form.field("days"))
        guard Self.days.contains(where: { $0.value == choice }), let days = Int64(choice) else {
            throw Problem.invalidParameter("a finding is muted for 1, 7, 30 or 90 days")
        }
        let until = visit.now + .days(days)
        let words = "\(finding.rawValue) until \(until.utcMinuteWithOffset)"
        try await visit.pool.withTransaction { connection in
            try FindingMutes.mute(
                finding, of: app, until: until, by: visit.person.name, now: visit.now, on: connection)
            try visit.record("finding_muted", words, on: connection)
        }
        return visit.done(ConsolePlace.doctor.path(of: app.slug), "Muted \(words).")
    }

    private func unmute(_ visit: Visit, _ app: App, _ form: ConsoleForm) async throws -> Response {
        let finding = try finding(try form.field("finding"))
        try await visit.pool.withTransaction { connection in
            guard try FindingMutes.unmute(finding, of: app, on: connection) else { return }
            try visit.record("finding_unmuted", finding.rawValue, on: connection)
        }
        return visit.done(ConsolePlace.doctor.path(of: app.slug), "\(finding.rawValue) is shown again.")
    }
}
