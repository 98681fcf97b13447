/// The reason why a notification that the provider accepted was never confirmed by a device. In order of precedence:
/// each counts under the first reason that applies. The raw value is the key in JSON and the column in CSV.
public enum Loss: String, CaseIterable, Sendable {
    /// The sender withdrew it.
    case recalled
    /// No extension could have reported it: a background push, or no mutable-content.
    case notReportable = "not_reportable"
    /// Sent to a version of the app that does not report arrivals, or to an unknown one.
    case notCapable = "not_capable"
    /// Alerts were not allowed on the device at the time of sending.
    case permissionOff = "permission_off"
    /// A later accepted push with the same collapse id went to the same target. Counted only for
    /// selected campaigns, from their notifications.
    case superseded
    /// Younger than the arrival window.
    case pending
    case unexplained

    /// Permissions under which the system shows nothing and runs no extension.
    static let permissionsOff = ["denied", "not_determined"]
}
