internal import Rendering
internal import Reports
internal import Wording

/// `landfall verify` as text: one summary if there is no difference.
struct VerificationTable {
    let verification: Verification
    let names: Verification.Names
    let style: OutputStyle

    init(_ verification: Verification, _ names: Verification.Names, _ style: OutputStyle) {
        self.verification = verification
        self.names = names
        self.style = style
    }

    var lines: [String] {
        let differences = verification.differenceCount
        let ink: Ink = differences == 0 ? .confirmed : .trouble
        let verdict =
            differences == 0
            ? "no difference" : "\(grouped(differences)) difference\(differences == 1 ? "" : "s")"
        let counted =
            "\(grouped(verification.notifications)) notifications, \(grouped(verification.received)) items received, "
            + "\(grouped(verification.quarantined)) in quarantine, \(grouped(verification.counters)) counters"
        var summary = folded("\(counted),", to: style.width.map { $0 - verdict.count - 1 })
        if let last = summary.popLast() { summary.append("\(last) \(style.paint(verdict, ink))") }
        guard differences > 0 else { return summary }
        return summary + [""] + table.lines(style) + unlisted
    }

    private var unlisted: [String] {
        let count = verification.differenceCount - Int64(verification.differences.count)
        return count > 0 ? [style.paint("and \(grouped(count)) more", .aside)] : []
    }

    private var table: TextTable {
        var table = TextTable([
            .init("Table", isNumber: false, group: 0), .init("App", isNumber: false, group: 0, isName: true),
            .init("Quarter (UTC)", isNumber: false, group: 0),
            .init("Campaign", isNumber: false, group: 0, isName: true),
            .init("Segment", group: 0),
            .init("State, bucket or version", isNumber: false, group: 0, isName: true),
            .init("Measure", isNumber: false, group: 0),
            .init("Counted", group: 1), .init("Recorded", group: 1), .init("Off by", group: 1),
        ])
        table.rows = verification.differences.map(cells)
        return table
    }

    private func cells(_ difference: Verification.Difference) -> [TextTable.Cell] {
        let offBy = difference.recorded - difference.counted
        return [
            .init(difference.table), .init(names.app(of: difference)),
            .init(difference.quarter?.utcMinute ?? ""),
            .init(names.campaign(of: difference)),
            .init(difference.segmentID.map(String.init) ?? ""), .init(names.part(of: difference)),
            .init(difference.measure),
            .init(grouped(difference.counted)), .init(grouped(difference.recorded)),
            .init((offBy > 0 ? "+" : "") + grouped(offBy), .trouble),
        ]
    }
}

extension Verification.Names {
    /// The app's name, or its id if there is none.
    func app(of difference: Verification.Difference) -> String {
        apps[difference.appID] ?? String(difference.appID)
    }

    /// `apns 410 Unregistered`, `arrival, bucket 57`, `ios 7.1.0`.
    func part(of difference: Verification.Difference) -> String {
        guard case .latency(let stage, let bucket) = difference.part else {
            return [difference.part?.state, response(of: difference), difference.part?.version]
                .compactMap(\.self).joined(separator: ", ")
        }
        return "\(stage), bucket \(bucket)"
    }

    func campaign(of difference: Verification.Difference) -> String {
        guard let id = difference.campaignID else { return "" }
        let name = campaigns[id] ?? String(id)
        return name.isEmpty ? "(none)" : name
    }
}
