internal import DeliveryModel
internal import Instants

/// The course of a problem since its last bad hour.
enum Course: String, Hashable, Sendable {
    case goesOn = "goes_on"
    /// Enough was sent since, and it is as it should be.
    case isOver = "is_over"
    /// The pushes since are no worse than they should be, as far as so few can tell.
    case tooLittleSince = "too_little_since"
    /// Nothing was sent since.
    case nothingSince = "nothing_since"

    /// - Parameters:
    ///   - end: the end of the last bad hour.
    ///   - after: the bad share of the pushes in later hours, none of which is bad itself.
    ///   - enough: the number of pushes from which these can be judged.
    ///   - until: the instant up to which anything can be known.
    ///   - isWell: whether the later pushes are as they should be. Hours that are not bad enough
    ///     one by one may still be far from well.
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
    ///   - after: the bad share of the pushes since.
    ///   - predicate: what happened to these: `were rejected`.
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
