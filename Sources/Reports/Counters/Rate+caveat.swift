public import DeliveryModel

extension Rate {
    /// The reason why a rate over `confirmed` is too high: if few arrivals are reported, the confirmed notifications are mostly
    /// those with a reaction, and nearly all of them were clicked. `nil` if enough arrivals were reported, and for other rates.
    public func caveat(in counts: MeasureCounts) -> String? {
        guard denominator == .confirmed, counts[numerator] > 0, counts.confirmsMostlyReactions else {
            return nil
        }
        return "few arrivals are reported, so confirmed is mostly what users reacted to"
    }
}

extension MeasureCounts {
    /// Whether at least half of the confirmed notifications have no reported arrival, or at least four in five of the
    /// reactions have none. The share of reactions with a reported arrival is the share of arrivals that get reported.
    var confirmsMostlyReactions: Bool {
        let confirmed = self[.confirmed]
        guard confirmed > 0 else { return false }
        let unreported = confirmed - self[.arrived]
        let reactions = self[.presented] + self[.clicked] + self[.dismissed]
        return unreported * 2 >= confirmed || unreported > 0 && unreported * 5 >= reactions * 4
    }
}
