/// The conditions under which an installation is a zombie: its tokens are accepted again and again,
/// and it never reports anything.
public struct ZombieRules: Hashable, Sendable {
    /// The number of days whose pushes are examined. Nothing was heard from the installation for longer than that.
    public var days: Int64 = 30
    /// The minimum number of pushes, accepted and with `mutable-content`, none of which was seen on the device.
    public var pushes: Int64 = 10
    /// The minimum share (0 to 1) of installations of the same build with as many pushes that
    /// reported something; below it, the extension is silent instead.
    public var reportingShare = 0.5

    /// The minimum number of days between the first and the last of the pushes, as far as the
    /// window has room for it: a device that is off for a weekend is not a zombie.
    public var spreadDays: Int64 { min(7, days / 2) }

    public init() {}
}
