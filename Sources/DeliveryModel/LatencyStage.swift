/// A span of a notification's way whose length is counted. The raw value is the key in JSON.
public enum LatencyStage: String, CaseIterable, Sendable, Comparable {
    /// From sending to the extension's report.
    case arrival
    /// From the extension's report to the click.
    case click

    /// The bits without which a notification counts under no bucket of the stage. With them it does when the times are known.
    public var required: DeliveryState {
        switch self {
        case .arrival: [.attempted, .accepted, .arrived]
        case .click: [.attempted, .accepted, .arrived, .clicked]
        }
    }

    public static func < (left: LatencyStage, right: LatencyStage) -> Bool { left.rawValue < right.rawValue }
}

/// What `latency_rollup` counts under one of its stages: all notifications that have passed a stage, or those of them for which a
/// time of receipt stands in, because the device did not say when.
public struct LatencyCounter: Hashable, Sendable, Comparable {
    public let stage: LatencyStage
    public let isByReceipt: Bool

    public init(_ stage: LatencyStage, isByReceipt: Bool = false) {
        self.stage = stage
        self.isByReceipt = isByReceipt
    }

    public static let all = [false, true].flatMap { isByReceipt in
        LatencyStage.allCases.map { LatencyCounter($0, isByReceipt: isByReceipt) }
    }

    /// The stage in `latency_rollup`.
    public var name: String { isByReceipt ? "\(stage.rawValue)_by_receipt" : stage.rawValue }

    /// The reports of which at least one must be timed by receipt; empty if that does not matter.
    public var timedByReceipt: DeliveryState {
        guard isByReceipt else { return [] }
        return stage == .arrival ? .arrived : [.arrived, .clicked]
    }

    public static func < (left: Self, right: Self) -> Bool { left.name < right.name }
}
