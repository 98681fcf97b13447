/// When an installation is called a zombie: its tokens are accepted again and again, and nothing ever comes back.
public struct ZombieRules: Hashable, Sendable {
    /// Pushes of so many days are looked at. Nothing was heard from the installation for longer than that.
    public var days: Int64 = 30
    /// At least so many pushes, accepted and with `mutable-content`, none of which the device was seen with.
    public var pushes: Int64 = 10
    /// Of the installations of the same build with as many pushes, at least such a share (0 to 1) reported something: else it
    /// is the extension that is silent.
    public var reportingShare = 0.5

    /// The first and the last of the pushes are at least so many days apart, as far as the window has room for it: a phone that
    /// is off for a weekend is no zombie.
    public var spreadDays: Int64 { min(7, days / 2) }

    public init() {}
}
