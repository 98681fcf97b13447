internal import Access
internal import DeliveryModel
internal import Reports
internal import Wording

/// `landfall tokens status` as text.
struct TokenStatusTable {
    let report: TokenStatusReport
    let style: OutputStyle

    init(_ report: TokenStatusReport, _ style: OutputStyle) {
        self.report = report
        self.style = style
    }

    var lines: [String] {
        let asOf = LocalTime(report.asOf, utcOffsetMinutes: 0).toTheMinuteWithOffset
        let counted =
            report.installationStates == nil
            ? "as of \(asOf)" : "from the ledger: what was decided before \(asOf)"
        let heading =
            [style.paint("Tokens \(style.dot) \(printable(report.app.slug))", .title)]
            + headingLines("counted", "tokens, exact, \(counted)", style)
        return heading + [""] + table.lines(style) + [""] + Remark.lines(remarks, style, nameWidth: 13)
    }

    var table: TextTable {
        var table = TextTable([
            .init("State", isNumber: false, group: 0), .init("Kind", isNumber: false, group: 0),
            .init("Environment", isNumber: false, group: 0),
            .init(bar: "of largest", group: 1), .init("Tokens", group: 1), .init("Share", group: 1),
        ])
        let largest = report.rows.map(\.tokens).max() ?? 0
        table.rows = report.rows.map { row in
            let bar = TextTable.Cell.bar(row.tokens, of: largest, ink(row.state), width: 20, style)
            let share = Proportion(row.tokens, of: report.tokens).value.map { "\(percent($0)) %" }
            return [
                .init(row.state), .init(row.kind), .init(row.environment), bar,
                .init(grouped(row.tokens)), .init(share ?? style.nothing),
            ]
        }
        table.totals = [.init("Total", .title), "", "", "", .init(grouped(report.tokens)), ""]
        return table
    }

    func ink(_ state: String) -> Ink {
        switch state {
        case "active": .confirmed
        case "retired": .aside
        default: .caution
        }
    }

    var remarks: [Remark] {
        guard let states = report.installationStates else { return present }
        let known = Remark(
            name: "installations", value: grouped(states.known),
            meaning: "held a token that shows notifications by then; by the best token of each:")
        return [known]
            + TokenState.allCases.map { state in
                Remark(
                    name: "  \(state.rawValue)", value: grouped(states[state]),
                    meaning: Self.meaning(of: state))
            }
    }

    private static func meaning(of state: TokenState) -> String {
        switch state {
        case .active: "could be sent to"
        case .suspect: "neither to be trusted nor deleted"
        case .stale: "silent for too long"
        case .retired: "not to be sent to"
        }
    }

    private var present: [Remark] {
        [
            Remark(
                name: "audience", value: grouped(report.audience ?? 0),
                meaning: "installations that could be shown a notification"),
            Remark(
                name: "installations", value: grouped(report.installations),
                meaning: "registered, whatever their tokens"),
            Remark(
                name: "erased", value: grouped(report.erasedInstallations ?? 0),
                meaning: "installations erased on request"),
        ] + (report.settings.map(said) ?? [])
    }

    /// What devices said, as far as any did.
    private func said(_ settings: TokenStatusReport.Settings) -> [Remark] {
        let off = NotificationSetting.allCases.map { setting in
            let count = settings.turnedOff[setting] ?? 0
            let share = Proportion(count, of: settings.known).value.map {
                "\(percent($0)) % of \(grouped(settings.known))"
            }
            return Remark(
                name: "\(setting.words) off", value: grouped(count),
                meaning: "\(share ?? "of none") installations that say what their users turned off")
        }
        let failed = Remark(
            name: "no token", value: grouped(settings.failed),
            meaning: "installations whose last registration says why the system gave none")
        return (settings.known > 0 ? off : []) + (settings.failed > 0 ? [failed] : [])
    }
}

extension NotificationSetting {
    fileprivate var words: String {
        switch self {
        case .alert: "alerts"
        case .sound: "sounds"
        case .badge: "badges"
        case .lockScreen: "lock screen"
        case .notificationCenter: "center"
        }
    }
}
