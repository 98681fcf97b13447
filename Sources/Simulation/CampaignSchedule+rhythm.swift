/// Traffic with a rhythm that is the same every day, so that missing notifications can be noticed.
extension CampaignSchedule {
    /// The campaigns of each day, by a clock that shows 20:00 when the window ends. So the last hours, and a fault in them, are
    /// the same at any time of day, and most device events of the evening's campaign have arrived.
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
