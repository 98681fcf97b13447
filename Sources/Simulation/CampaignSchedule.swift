/// The schedule of all notifications: campaigns one after another, transactional ones in the whole window.
struct CampaignSchedule {
    /// Ascending by time.
    let campaigns: [CampaignPlan]
    /// Notifications without a campaign.
    let transactional: CampaignPlan
    /// Another sender, which does not post its provider's responses.
    let foreign: CampaignPlan

    init(_ settings: SimulationSettings) {
        if settings.scenario.isSound {
            self.init(rhythmOf: settings)
        } else {
            self.init(mixtureOf: settings)
        }
    }

    /// Each kind of campaign in turn, over most of the window.
    private init(mixtureOf settings: SimulationSettings) {
        let count = max(settings.campaigns, 0)
        let length = settings.window.upperBound - settings.window.lowerBound
        let duration = min(.minutes(20), length / Int64(6 * max(count, 1)))
        campaigns = (0..<count).map { position in
            let start = settings.moment(0.06 + 0.8 * Double(position) / Double(count))
            let kinds = CampaignKind.allCases
            return kinds[position % kinds.count].plan(
                round: position / kinds.count, sends: start..<(start + max(duration, 1)))
        }
        transactional = Self.transactional(settings)
        foreign = CampaignPlan(key: nil, sends: settings.moment(0.05)..<settings.window.upperBound)
    }

    private static func transactional(_ settings: SimulationSettings) -> CampaignPlan {
        var plan = CampaignPlan(key: nil, sends: settings.moment(0.06)..<settings.window.upperBound)
        plan.category = "order"
        plan.actions = ["reply", "track_parcel"]
        plan.backgroundActions = ["reply"]
        plan.reportsDismissals = true
        plan.clickChance = 0.25
        plan.wrongKeyShare = 0.02
        plan.wakingShare = 0.02
        return plan
    }

    /// The quiet time between a campaign, with all its retries, and the next one; `nil` if there is none.
    func pause(after position: Int) -> Range<Int64>? {
        guard campaigns.indices.contains(position), campaigns.indices.contains(position + 1) else {
            return nil
        }
        let start = campaigns[position].sends.upperBound + .minutes(45)
        let end = campaigns[position + 1].sends.lowerBound - .minutes(20)
        return start < end ? start..<end : nil
    }
}

/// Traffic with a rhythm that is the same every day, so that missing notifications can be noticed.
extension CampaignSchedule {
    /// The campaigns of each day, by a clock that shows 20:00 when the window ends. So the last hours, and a
    /// fault in them, are the same at any time of day, and most device events of the evening campaign are in.
    private static let daily: [(key: String, hour: Int64, clickChance: Double)] = [
        ("morning-briefing", 8, 0.12), ("lunch-offers", 12, 0.08), ("evening-digest", 18, 0.15),
    ]

    init(rhythmOf settings: SimulationSettings) {
        let window = settings.window
        var campaigns: [CampaignPlan] = []
        let lastDay = window.upperBound - .hours(20)
        var day = lastDay + (window.lowerBound - lastDay).start(of: .hours(24))
        var round = 0
        while day < window.upperBound {
            round += 1
            for campaign in Self.daily {
                let start = day + .hours(campaign.hour)
                let sends = start..<(start + .minutes(20))
                // The phones that exist at the beginning register in the first minutes.
                guard start >= window.lowerBound + .minutes(30), sends.upperBound <= window.upperBound else {
                    continue
                }
                var plan = CampaignPlan(key: "\(campaign.key)-\(round)", sends: sends)
                plan.clickChance = campaign.clickChance
                plan.mutableContent = !settings.has(.noMutableContent, at: start)
                plan.wakingShare = settings.has(.contentAvailable, at: start) ? 1 : 0
                campaigns.append(plan)
            }
            day += .hours(24)
        }
        var transactional = CampaignPlan(
            key: nil, sends: (window.lowerBound + .minutes(30))..<window.upperBound)
        transactional.clickChance = 0.25
        self.campaigns = campaigns
        self.transactional = transactional
        foreign = CampaignPlan(key: nil, sends: settings.fault)
    }
}
