/// A span of a notification's way whose length is counted. The raw value is the stage in `latency_rollup` and the key in JSON.
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
