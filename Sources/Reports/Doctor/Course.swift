internal import DeliveryModel
internal import Instants

/// What became of trouble since its last bad hour.
enum Course: String, Hashable, Sendable {
    case goesOn = "goes_on"
    /// Enough was sent since, and it is well.
    case isOver = "is_over"
    /// What was sent since is no worse than it should be, as far as so little can tell.
    case tooLittleSince = "too_little_since"
    /// Nobody has tried since.
    case nothingSince = "nothing_since"

    /// - Parameters:
    ///   - end: of the last bad hour.
    ///   - after: what was bad of what was sent in later hours, none of which is bad itself.
    ///   - enough: from so many pushes on something can be said about these.
    ///   - until: up to when something can be known.
    ///   - isWell: whether what came after is as it should be. Hours that are not bad enough to be called so, one by one, may
    ///     still be far from well.
    init(since end: Instant, _ after: Proportion, enough: Int64, until: Instant, isWell: Bool) {
        if after.denominator == 0 {
            self = end + .hours(1) <= until ? .nothingSince : .goesOn
        } else if !isWell {
            self = .goesOn
        } else {
            self = after.denominator >= enough ? .isOver : .tooLittleSince
        }
    }

    /// - Parameters:
    ///   - after: what was bad of what was sent since.
    ///   - predicate: what became of these: `were rejected`.
    func sentence(_ after: Proportion, _ predicate: String) -> String {
        let since = "\(after.ofWords) pushes (\(after.percentWords)) \(predicate)."
        return switch self {
        case .goesOn: after.denominator == 0 ? "It is ongoing." : "It is ongoing: since then \(since)"
        case .isOver: "It is over."
        case .tooLittleSince: "Too little has been sent since to tell whether it is over: \(since)"
        case .nothingSince: "Nothing has been sent since."
        }
    }
}
