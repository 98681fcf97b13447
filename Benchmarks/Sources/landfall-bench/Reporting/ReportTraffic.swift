internal import DeliveryModel

/// The notifications that reports are measured with: half are a stream over all hours without a campaign,
/// half belong to 50 campaigns of four hours each.
struct ReportTraffic: Equatable, Sendable {
    /// Notifications of one campaign, spread evenly between two instants of the same UTC day.
    struct Stretch: Equatable, Sendable {
        let campaign: String
        let variant: String
        let from: Instant
        let to: Instant
        let rows: Int
    }

    static let days = 30
    static let campaigns = 50

    /// The first UTC day.
    let from: Instant
    let rows: Int

    /// - Parameter to: the UTC day after the last one.
    init(rows: Int, to: Instant) {
        self.rows = rows
        from = to - .days(Int64(Self.days))
    }

    var to: Instant { from + .days(Int64(Self.days)) }

    func day(_ number: Int) -> Instant { from + .days(Int64(number)) }

    /// The notifications sent on one day.
    func stretches(ofDay number: Int) -> [Stretch] {
        let day = day(number)
        let stream = Stretch(
            campaign: "", variant: "", from: day, to: day + .days(1),
            rows: Self.part(number, of: Self.days, rows - rows / 2))
        let campaigns = (0..<Self.campaigns).filter { $0 * Self.days / Self.campaigns == number }
        return [stream]
            + campaigns.map { campaign in
                let beginning = day + .hours(Int64(8 + campaign % 9))
                return Stretch(
                    campaign: "campaign-" + (campaign < 10 ? "0" : "") + "\(campaign)",
                    variant: campaign % 5 == 0 ? "A" : "", from: beginning, to: beginning + .hours(4),
                    rows: Self.part(campaign, of: Self.campaigns, rows / 2))
            }
    }

    /// The size of one part; all parts add up to the whole.
    private static func part(_ number: Int, of count: Int, _ whole: Int) -> Int {
        whole * (number + 1) / count - whole * number / count
    }
}
