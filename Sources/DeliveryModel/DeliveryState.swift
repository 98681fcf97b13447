/// Everything known about one notification, as a set of bits. Counters are sums of ``Measure``s of it.
///
/// An event contributes bits, and a row holds all of them, with two exceptions: a final rejection removes the
/// acceptance for good (``joined(with:)``), and once the installation of the push is known, events of others
/// add only ``misdirected``. So repeating an event changes nothing, and the order of events does not matter.
public struct DeliveryState: OptionSet, Hashable, Sendable {
    public let rawValue: Int32

    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// A provider's response, or an explicit "no response", is on record.
    public static let attempted = DeliveryState(rawValue: 1 << 0)
    /// The provider responded with 2xx. Accepted says nothing about arrival.
    public static let accepted = DeliveryState(rawValue: 1 << 1)
    /// Push type `alert` and `mutable_content` not false: the notification service extension could run.
    public static let canReport = DeliveryState(rawValue: 1 << 2)
    /// The notification service extension reported it.
    public static let arrived = DeliveryState(rawValue: 1 << 3)
    /// The app was in the foreground and received it.
    public static let presented = DeliveryState(rawValue: 1 << 4)
    /// A default tap or a custom action.
    public static let clicked = DeliveryState(rawValue: 1 << 5)
    public static let dismissed = DeliveryState(rawValue: 1 << 6)
    public static let recalled = DeliveryState(rawValue: 1 << 7)
    /// A device event said that the app showed it by itself, so no provider response is expected.
    public static let local = DeliveryState(rawValue: 1 << 8)
    /// A device event came from another installation than the push went to. It adds none of its own bits.
    public static let misdirected = DeliveryState(rawValue: 1 << 29)
    /// A device event carried a valid receipt, or came from a server.
    public static let signed = DeliveryState(rawValue: 1 << 30)

    /// The notification center, the app or the provider (not the extension) showed that the device had it.
    public static let witnessed = DeliveryState(rawValue: .min)

    private static let firstRejectionBit: Int32 = 16
    /// The bits of final rejections, in the order of the classes. The other rejections use the bits 16 to 25.
    private static let finalRejectionBits: [Int32] = [9, 10, 11, 12, 13, 14, 15, 26, 27, 28]

    /// The bit of one class of rejection; in the sender's final response, one that overrides any acceptance.
    public static func rejected(_ rejectionClass: RejectionClass, isFinal: Bool = false) -> DeliveryState {
        let position = rejectionClass.position
        let bit = isFinal ? finalRejectionBits[position] : firstRejectionBit + Int32(position)
        return DeliveryState(rawValue: 1 << bit)
    }

    public static let finallyRejected = DeliveryState(
        RejectionClass.allCases.map { rejected($0, isFinal: true) })

    /// Any sign that the device had the notification.
    public static let seenOnDevice: DeliveryState = [.arrived, .presented, .clicked, .dismissed, .witnessed]

    public static let saidByDevice: DeliveryState = [
        .arrived, .presented, .clicked, .dismissed, .local, .signed, .witnessed,
    ]

    /// The state once both are known: all bits of both, but no acceptance if there is a final rejection, in
    /// whichever order they came. The same as `landfall.joined_state` in SQL.
    public func joined(with other: DeliveryState) -> DeliveryState {
        let state = union(other)
        return state.isDisjoint(with: .finallyRejected) ? state : state.subtracting(.accepted)
    }

    /// Whether an event with this contribution changes nothing.
    public func knows(_ contribution: DeliveryState) -> Bool { joined(with: contribution) == self }

    /// The classes from which the counted one is chosen, as bits from 0: the final ones if any, else all.
    private var countedClasses: UInt32 {
        let bits = UInt32(bitPattern: rawValue)
        let final = bits >> 9 & 0x7F | (bits >> 26 & 0x7) << 7
        return final == 0 ? bits >> UInt32(Self.firstRejectionBit) & 0x3FF : final
    }

    /// The class that counts; `nil` if accepted or never rejected. Acceptance overrides rejection, because a
    /// sender may try a throttled push again under the same id; a final rejection overrides acceptance.
    public var rejectionClass: RejectionClass? {
        let classes = countedClasses
        guard !contains(.accepted), classes != 0 else { return nil }
        return .at(classes.trailingZeroBitCount)
    }

    /// Attempted and not accepted in the end: counted under the response with the lowest rank.
    public var isRejected: Bool { contains(.attempted) && !contains(.accepted) }

    /// Rejected for reasons of more than one class, and not accepted in the end.
    public var isConflicting: Bool { !contains(.accepted) && countedClasses.nonzeroBitCount > 1 }
}
