internal import Basics

/// Generates the traffic of a push team, with known truth.
///
/// Each notification's fate is decided first. The events are what the sender and the devices would then post
/// about it, with the repetitions, delays and losses of real clients. No code here reads a clock or a file.
public struct TrafficSimulation {
    private let settings: SimulationSettings
    private let schedule: CampaignSchedule

    /// Returns the traffic of these settings and the truth about it: always the same, byte for byte. The time
    /// is proportional to the number of notifications.
    public static func generate(_ settings: SimulationSettings) -> SimulatedTraffic {
        TrafficSimulation(settings: settings, schedule: CampaignSchedule(settings)).run()
    }

    private func run() -> SimulatedTraffic {
        var tally = TruthTally(settings: settings)
        var steps: [SimulatedStep] = []
        for index in 0..<max(settings.installations, 0) {
            steps += simulate(phone: index, &tally)
        }
        let order = schedule.campaigns.map(\.key) + [nil]
        return SimulatedTraffic(
            steps: Self.inOrder(steps), truth: tally.truth(campaignsInOrder: order))
    }

    /// Simulates one phone over the whole window. Phones are independent of each other.
    private func simulate(phone index: Int, _ tally: inout TruthTally) -> [SimulatedStep] {
        let start = SeededRandom.mixed(UInt64(bitPattern: settings.start))
        let random = SeededRandom(seed: settings.seed ^ start, stream: UInt64(index))
        var story = PhoneStory(phone: index, settings: settings, schedule: schedule, random: random)
        let phone = story.told()
        var sender = Sender(settings: settings, schedule: schedule, phone: phone, random: story.random)
        var notifications = sender.notifications()
        var use = PhoneUse(phone: phone, settings: settings, random: sender.random)
        use.look(at: &notifications)
        for position in notifications.indices {
            notifications[position].forgetEverything(after: settings.horizon)
            notifications[position].loseEvents(to: settings)
        }
        count(phone, notifications, &tally)
        var writer = StepWriter(
            text: EventText(phone: phone, settings: settings), horizon: settings.horizon, random: use.random)
        writer.writeRegistrations()
        for notification in notifications { writer.write(notification) }
        tally.note(.repeatedEvent, times: writer.repeatedEvents)
        return writer.steps
    }

    private func count(_ phone: Phone, _ notifications: [PlannedNotification], _ tally: inout TruthTally) {
        for notification in notifications { tally.add(notification) }
        let truth = PhoneTruth(
            phone: phone, notifications: notifications, hasExtension: settings.hasExtension)
        tally.add(truth)
        tally.note(.rotatedToken, times: truth.transitions[.rotated, default: 0])
        tally.note(.revivedToken, times: truth.transitions[.revived, default: 0])
        tally.note(.reinstalledWithSameToken, times: truth.transitions[.transferred, default: 0])
        if phone.life == .reinstallsWithNewToken { tally.note(.reinstalledWithNewToken) }
    }

    /// Ascending by instant; steps of the same instant keep their order.
    private static func inOrder(_ steps: [SimulatedStep]) -> [SimulatedStep] {
        let order = steps.indices.sorted { (steps[$0].at, $0) < (steps[$1].at, $1) }
        return order.map { steps[$0] }
    }
}
