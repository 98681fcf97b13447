/// One number of the reports, as a function of a single notification's state. Counters hold how many
/// notifications are in which state; reports sum the states for which this is 1. The raw value is the key in
/// JSON and the name in `landfall.measure`, which defines the same in SQL.
public enum Measure: String, CaseIterable, Sendable {
    case attempted
    case accepted
    case rejectedTokenDead = "rejected_token_dead"
    case rejectedTokenSuspect = "rejected_token_suspect"
    case rejectedWrongTopic = "rejected_wrong_topic"
    case rejectedWrongEnvironment = "rejected_wrong_environment"
    case rejectedPayloadError = "rejected_payload_error"
    case rejectedRequestError = "rejected_request_error"
    case rejectedAuthError = "rejected_auth_error"
    case rejectedThrottled = "rejected_throttled"
    case rejectedProviderError = "rejected_provider_error"
    case rejectedUnknown = "rejected_unknown"
    /// Rejected for reasons of more than one class; counted in `rejected` once, under the more final class.
    case conflicting
    /// Accepted, and its extension could run.
    case reportable
    /// Accepted, and the extension reported it.
    case arrived
    case arrivedReportable = "arrived_reportable"
    /// Accepted, the extension reported it, and it was tapped or acted on: with `arrived`, a click-through
    /// rate that versions of the app without an extension do not distort.
    case arrivedClicked = "arrived_clicked"
    /// Accepted, and the device certainly received it.
    case confirmed
    /// Confirmed by an event with a valid receipt, or from a server.
    case confirmedSigned = "confirmed_signed"
    case presented
    case clicked
    case dismissed
    /// Confirmed and reportable, but the extension's arrival is missing: a lost receipt.
    case confirmedUnreported = "confirmed_unreported"
    /// Reportable, and presented, clicked, dismissed or witnessed: the second sighting of capture–recapture.
    case respondedReportable = "responded_reportable"
    /// The device received it although no acceptance is on record: a lost response, or another sender.
    case contradicted
    /// Attempted, and another installation than the push's reported it. Such events confirm nothing.
    case misdirected
    /// Accepted, not confirmed, withdrawn by the sender.
    case unconfirmedRecalled = "unconfirmed_recalled"
    /// Accepted, not confirmed, not withdrawn, and no extension could have reported it.
    case unconfirmedNotReportable = "unconfirmed_not_reportable"

    /// Returns 1 if a notification in this state counts, otherwise 0. Always 0 without a provider response:
    /// such a notification counts in no campaign (see ``UnmatchedMeasure``) until the response arrives, and
    /// then all its bits count at once.
    public func value(of state: DeliveryState) -> Int64 {
        state.contains(.attempted) && holds(for: state) ? 1 : 0
    }

    private func holds(for state: DeliveryState) -> Bool {
        let accepted = state.contains(.accepted)
        let reportable = accepted && state.contains(.canReport)
        let confirmed = accepted && !state.isDisjoint(with: .seenOnDevice)
        switch self {
        case .attempted: return true
        case .accepted: return accepted
        case .rejectedTokenDead, .rejectedTokenSuspect, .rejectedWrongTopic, .rejectedWrongEnvironment,
            .rejectedPayloadError,
            .rejectedRequestError, .rejectedAuthError, .rejectedThrottled, .rejectedProviderError,
            .rejectedUnknown:
            return state.rejectionClass.map(Self.rejected) == self
        case .conflicting: return state.isConflicting
        case .reportable: return reportable
        case .arrived: return accepted && state.contains(.arrived)
        case .arrivedReportable: return reportable && state.contains(.arrived)
        case .arrivedClicked: return accepted && state.isSuperset(of: [.arrived, .clicked])
        case .confirmed: return confirmed
        case .confirmedSigned: return confirmed && state.contains(.signed)
        case .presented: return accepted && state.contains(.presented)
        case .clicked: return accepted && state.contains(.clicked)
        case .dismissed: return accepted && state.contains(.dismissed)
        case .confirmedUnreported: return reportable && confirmed && !state.contains(.arrived)
        case .respondedReportable:
            return reportable && !state.isDisjoint(with: DeliveryState.seenOnDevice.subtracting(.arrived))
        case .contradicted: return !accepted && !state.isDisjoint(with: .seenOnDevice)
        case .misdirected: return state.contains(.misdirected)
        case .unconfirmedRecalled: return accepted && !confirmed && state.contains(.recalled)
        case .unconfirmedNotReportable:
            return accepted && !confirmed && !state.contains(.recalled) && !reportable
        }
    }

    /// The measure that counts the rejections of a class.
    public static func rejected(_ rejectionClass: RejectionClass) -> Measure {
        rejections[rejectionClass.position]
    }

    /// In the order of their classes, so that the position of a class is that of its measure.
    private static let rejections = RejectionClass.allCases.compactMap {
        Measure(rawValue: "rejected_\($0.rawValue)")
    }
}

/// The measures of notifications without a provider response. Never mixed into a campaign.
public enum UnmatchedMeasure: String, CaseIterable, Sendable {
    /// Device events, but no provider response (yet).
    case unmatched
    /// Shown by the app itself.
    case local

    public func value(of state: DeliveryState) -> Int64 {
        guard !state.isEmpty, !state.contains(.attempted) else { return 0 }
        return state.contains(.local) == (self == .local) ? 1 : 0
    }
}

/// One number per measure, added as one value.
public struct MeasureCounts: Hashable, Sendable {
    private var values: [Int64]
    /// How much too small each number may be because it was rounded down; 0 if the numbers are exact.
    public private(set) var roundedBy: Int64 = 0

    public init() { values = Array(repeating: 0, count: Measure.allCases.count) }

    public subscript(measure: Measure) -> Int64 {
        get { values[measure.position] }
        set { values[measure.position] = newValue }
    }

    public mutating func add(_ count: Int64, in state: DeliveryState) {
        for (position, measure) in Measure.allCases.enumerated() {
            values[position] += measure.value(of: state) * count
        }
    }

    public static func += (left: inout MeasureCounts, right: MeasureCounts) {
        for position in left.values.indices { left.values[position] += right.values[position] }
        left.roundedBy += right.roundedBy
    }

    /// Every number rounded down to a multiple of `step`.
    public func rounded(to step: Int64) -> MeasureCounts {
        var rounded = self
        rounded.values = values.map { $0 / step * step }
        rounded.roundedBy += step - 1
        return rounded
    }

    /// The share of two of these numbers, with their rounding.
    public func share(_ part: Int64, of whole: Int64) -> Proportion {
        Proportion(part, of: whole, roundedBy: roundedBy)
    }

    public var isZero: Bool { values.allSatisfy { $0 == 0 } }
}

extension Measure {
    /// Its index in ``MeasureCounts``.
    fileprivate var position: Int {
        guard let position = Self.positions[self] else { preconditionFailure("a measure that is not listed") }
        return position
    }

    private static let positions = Dictionary(
        uniqueKeysWithValues: Measure.allCases.enumerated().map { ($1, $0) })
}
