/// Everything that is known about one notification, as a set of bits that are only ever added.
///
/// An event contributes bits, a row holds the union of all of its events. Repeating an event therefore changes nothing and
/// the order of events does not matter. Counters are sums of ``Measure``s of this value.
public struct DeliveryState: OptionSet, Hashable, Sendable {
    public let rawValue: Int32

    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// A provider answer, or an explicit "no response", is on record.
    public static let attempted = DeliveryState(rawValue: 1 << 0)
    /// The provider answered 2xx. Accepted says nothing about arrival.
    public static let accepted = DeliveryState(rawValue: 1 << 1)
    /// Push type `alert` and `mutable_content` not false: the notification service extension could run.
    public static let canReport = DeliveryState(rawValue: 1 << 2)
    /// The notification service extension reported it.
    public static let arrived = DeliveryState(rawValue: 1 << 3)
    /// The app was in front and was handed it.
    public static let presented = DeliveryState(rawValue: 1 << 4)
    /// Default tap or custom action.
    public static let clicked = DeliveryState(rawValue: 1 << 5)
    /// Explicitly dismissed.
    public static let dismissed = DeliveryState(rawValue: 1 << 6)
    /// The sender withdrew it.
    public static let recalled = DeliveryState(rawValue: 1 << 7)
    /// A device event said that the app showed it by itself; no provider is expected to answer for it.
    public static let local = DeliveryState(rawValue: 1 << 8)

    private static let firstRejectionBit: Int32 = 16

    /// The bit of one class of rejection.
    public static func rejected(_ rejectionClass: RejectionClass) -> DeliveryState {
        let position = RejectionClass.allCases.firstIndex(of: rejectionClass) ?? 0
        return DeliveryState(rawValue: 1 << (firstRejectionBit + Int32(position)))
    }

    /// Any sign that the device had the notification.
    public static let seenOnDevice: DeliveryState = [.arrived, .presented, .clicked, .dismissed]

    private var rejectionBits: UInt32 { UInt32(bitPattern: rawValue) >> UInt32(Self.firstRejectionBit) }

    /// The class that counts, nil when accepted or never refused. Acceptance beats rejection: a sender may try a throttled
    /// push again under the same id.
    public var rejectionClass: RejectionClass? {
        guard !contains(.accepted), rejectionBits != 0 else { return nil }
        let position = rejectionBits.trailingZeroBitCount
        return position < RejectionClass.allCases.count ? RejectionClass.allCases[position] : nil
    }

    /// Attempted and never accepted: counted under the answer that stands.
    public var isRejected: Bool { contains(.attempted) && !contains(.accepted) }

    /// Refused for more than one class of reason, never accepted.
    public var isConflicting: Bool {
        !contains(.accepted) && rejectionBits.nonzeroBitCount > 1
    }
}
