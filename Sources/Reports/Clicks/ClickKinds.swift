public import DeliveryModel

/// Clicks, and what is known of them. A notification counts once, with its first click.
public struct ClickKinds: Hashable, Sendable {
    public internal(set) var clicked: Int64 = 0
    /// Taps, and actions unless the app handled them in the background.
    public internal(set) var opened: Int64 = 0
    /// The user typed a text.
    public internal(set) var withText: Int64 = 0

    /// Actions that the app handled without coming to the foreground.
    public var background: Int64 { clicked - opened }

    static func + (left: ClickKinds, right: ClickKinds) -> ClickKinds {
        ClickKinds(
            clicked: left.clicked + right.clicked, opened: left.opened + right.opened,
            withText: left.withText + right.withText)
    }

    /// The part of these clicks in all of the report.
    public func share(of all: ClickKinds) -> Proportion { Proportion(clicked, of: all.clicked) }
}
