import DeliveryModel

@testable import Reports

/// The same day in the detailed reports.
extension HandMadeDay {
    static func loss() throws -> LossReport {
        let losses: [Loss: Int64] = [
            .recalled: 0, .notReportable: 308, .notCapable: 300, .permissionOff: 60, .superseded: 40,
            .pending: 268, .unexplained: 200,
        ]
        return try LossReport(
            frame: frame("loss", by: [], filters: [ReportFilter(.campaign, ["spring sale"])]), rows: [],
            totals: LossCounts(counts: counts(28), losses: losses),
            unmatched: UnmatchedCounts(unmatched: 36, local: 5),
            completeness: Completeness(young: 2_744, accepted: 2_744))
    }

    static func rejections() throws -> RejectionsReport {
        func key(_ version: String) -> RowKey {
            RowKey([
                .init(.topic, "com.example.shop"), .init(.environment, "production"),
                .init(.appVersion, version),
            ])
        }
        let gone = RejectedResponse(
            provider: "apns", status: 410, reason: "Unregistered", rejectionClass: .tokenDead, retry: .no,
            tokenVerdict: .invalidateIfNotReregistered)
        let busy = RejectedResponse(
            provider: "apns", status: 429, reason: "TooManyRequests", rejectionClass: .throttled,
            retry: .afterDelay, tokenVerdict: .keep)
        return try RejectionsReport(
            frame: ReportFrame(
                report: "rejections",
                query: frame("rejections", by: []).query.cut(by: RejectionsReport.standardBreakdown),
                unit: .notifications, asOf: now),
            counted: [(key("7.1.0"), gone, 84), (key("7.2.0"), busy, 28)],
            attempts: [
                key("7.1.0"): .init(attempted: 1_856, rejected: 84),
                key("7.2.0"): .init(attempted: 1_000, rejected: 28),
            ], totals: counts(28), unmatched: 36)
    }

    /// Seconds to the arrival, minutes to the click.
    static func latency() throws -> LatencyReport {
        let stages = LatencyReport.Stages(
            arrival: histogram(around: 78, height: 90), click: histogram(around: 118, height: 20))
        return try LatencyReport(
            frame: frame("latency", by: []), rows: [], totals: stages, counts: counts(28), unmatched: 36)
    }

    static func histogram(around middle: Int, height: Int64) -> LatencyHistogram {
        var bounds: [Int64] = [1]
        while bounds.count < 200 { bounds.append(Int64(Double(bounds[bounds.count - 1]) * 1.1) + 1) }
        return LatencyHistogram(
            (middle - 9...middle + 9).map { number in
                let share = Double(10 - abs(number - middle)) / 10
                return .init(
                    LatencyBucket(number: Int16(number), from: bounds[number - 1], to: bounds[number]),
                    Int64(Double(height) * share))
            })
    }

    static func extensionHealth() throws -> ExtensionReport {
        func row(
            _ app: String, _ system: String, _ size: Int64, _ reportedAt: Instant?, _ runs: ExtensionRuns
        )
            -> ExtensionReport.Row
        {
            .init(
                key: RowKey([.init(.platform, "ios"), .init(.appVersion, app), .init(.osVersion, system)]),
                counts: counts(size), health: .reports, lastReportedAt: reportedAt,
                runs: runs)
        }
        return try ExtensionReport(
            frame: frame("extension", by: []),
            rows: [
                row("7.1.0", "18.1", 20, now - .hours(2), .init(expired: 0, attachmentsFailed: 0)),
                row(
                    "7.2.0", "18.2", 8, now - .minutes(47),
                    .init(kits: ["0.2.0", "0.1.0"], expired: 3, attachmentsFailed: 12)),
            ],
            totals: counts(28), completeness: Completeness(young: 2_744, accepted: 2_744))
    }

    /// asked, turned off and turned on; granted, provisional, ephemeral, denied, not determined, unknown.
    static func permissions() throws -> PermissionsReport {
        func counts(_ numbers: [Int64], alertsOff: Int64) -> PermissionsReport.Counts {
            var all = numbers
            all.insert(numbers[3...].reduce(0, +), at: 3)
            return .init(
                Dictionary(uniqueKeysWithValues: zip(PermissionsReport.Number.allCases, all)),
                alertsOff: alertsOff)
        }
        func row(_ version: String?, _ counts: PermissionsReport.Counts) -> PermissionsReport.Row {
            .init(key: RowKey([.init(.appVersion, version)]), counts: counts)
        }
        var frame = try Self.frame("permissions", by: [.appVersion], unit: .installations)
        frame.cohort = .registeredAt
        return try PermissionsReport(
            frame: frame,
            rows: [
                row("7.2.0", counts([84, 12, 3, 1_002, 118, 4, 391, 102, 23], alertsOff: 47)),
                row("7.1.0", counts([9, 21, 1, 488, 31, 0, 276, 57, 8], alertsOff: 29)),
                row(nil, counts([0, 0, 0, 0, 0, 0, 0, 0, 17], alertsOff: 0)),
            ], totals: counts([93, 33, 4, 1_490, 149, 4, 667, 159, 48], alertsOff: 76))
    }

    static func optOuts() throws -> OptOutsReport {
        try OptOutsReport(
            frame: frame("permissions", by: [.campaign], unit: .installations),
            rows: zip(campaigns, [31, 4, 9, 1, 0] as [Int64]).map { campaign, optOuts in
                .init(
                    key: RowKey([.init(.campaign, campaign.name)]),
                    counts: .init(pushed: campaign.size * 500, optOuts: optOuts))
            }, totals: .init(pushed: 11_204, optOuts: 43), usual: Proportion(61, of: 91_847))
    }
}
