internal import Rendering
internal import Reports

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
        let table = Listing<Verification.Difference>.differences(names)
            .table(verification.differences, style)
        return summary + [""] + table.lines(style) + unlisted
    }

    private var unlisted: [String] {
        let count = verification.differenceCount - Int64(verification.differences.count)
        return count > 0 ? [style.paint("and \(grouped(count)) more", .aside)] : []
    }
}

extension Listing<Verification.Difference> {
    static func differences(_ names: Verification.Names) -> Self {
        Self(
            .text("table", "Table", group: 0) { $0.table },
            .text("app", "App", group: 0, isName: true) { names.app(of: $0) },
            .instant("quarter", "Quarter (UTC)", group: 0) { $0.quarter },
            .text("campaign", "Campaign", group: 0, isName: true) { names.campaign(of: $0) },
            .number("segment_id", "Segment") { $0.segmentID },
            .text("answer") { names.response(of: $0) },
            .text("stage") { $0.part?.stage },
            .text("bucket") { $0.part?.bucket?.description },
            .text("version") { $0.part?.version },
            .text(nil, "State, bucket or version", group: 0, isName: true) { names.part(of: $0) },
            .text("measure", "Measure", group: 0) { $0.measure },
            .count("counted", "Counted") { $0.counted }, .count("recorded", "Recorded") { $0.recorded },
            Column(
                heading: TextTable.Column("Off by", group: 1),
                cell: { difference, _ in TextTable.Cell(difference.offBy, .trouble) }))
    }
}

extension Verification.Difference {
    /// `+3` if the counter is too high, `-3` if it is too low.
    fileprivate var offBy: String {
        (recorded > counted ? "+" : "") + grouped(recorded - counted)
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
