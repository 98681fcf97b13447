internal import DeliveryModel

/// What became of trouble since its last bad hour.
enum Course: String, Hashable, Sendable {
    case goesOn = "goes_on"
    /// Enough was sent since, and it is well.
    case isOver = "is_over"
    /// Nobody has tried since.
    case nothingSince = "nothing_since"

    /// - Parameters:
    ///   - end: of the last bad hour.
    ///   - after: what was bad of what was sent in later hours, none of which is bad itself.
    ///   - enough: from so many pushes on something can be said about these.
    ///   - until: up to when something can be known.
    init(since end: Instant, _ after: Proportion, enough: Int64, until: Instant) {
        if after.denominator >= enough {
            self = .isOver
        } else {
            self = after.denominator == 0 && end + .hours(1) <= until ? .nothingSince : .goesOn
        }
    }

    var sentence: String {
        switch self {
        case .goesOn: "It goes on."
        case .isOver: "It is over."
        case .nothingSince: "Nothing has been sent since."
        }
    }
}
