/// A stage of a notification whose duration is counted. The raw value is the key in JSON.
public enum LatencyStage: String, CaseIterable, Sendable, Comparable {
    /// From sending to the arrival that the extension posts.
    case arrival
    /// From that arrival to the click.
    case click

    /// The bits that a notification needs to be counted in the stage's buckets; its times must be known, too.
    public var required: DeliveryState {
        switch self {
        case .arrival: [.attempted, .accepted, .arrived]
        case .click: [.attempted, .accepted, .arrived, .clicked]
        }
    }

    public static func < (left: LatencyStage, right: LatencyStage) -> Bool { left.rawValue < right.rawValue }
}

/// A counter of `latency_rollup`: all notifications that passed a stage, or those with a time of receipt.
public struct LatencyCounter: Hashable, Sendable, Comparable {
    public let stage: LatencyStage
    public let isByReceipt: Bool

    public init(_ stage: LatencyStage, isByReceipt: Bool = false) {
        (self.stage, self.isByReceipt) = (stage, isByReceipt)
    }

    public static let all = [false, true].flatMap { isByReceipt in
        LatencyStage.allCases.map { LatencyCounter($0, isByReceipt: isByReceipt) }
    }

    /// The stage in `latency_rollup`.
    public var name: String { isByReceipt ? "\(stage.rawValue)_by_receipt" : stage.rawValue }

    /// The device events of which at least one must be timed by receipt; empty if that does not matter.
    public var timedByReceipt: DeliveryState {
        guard isByReceipt else { return [] }
        return stage == .arrival ? .arrived : [.arrived, .clicked]
    }

    public static func < (left: Self, right: Self) -> Bool { left.name < right.name }
}
