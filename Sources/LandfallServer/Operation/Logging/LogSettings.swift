public import Logging

/// The server's log on standard error.
public struct LogSettings: Sendable, Equatable {
    public enum Format: String, CaseIterable, Sendable {
        /// Text on a terminal, JSON elsewhere.
        case auto
        case text
        case json
    }

    /// The requests that are logged.
    public enum Access: String, CaseIterable, Sendable {
        case on
        case off
        /// Those with a status of 500 or above.
        case errors
    }

    public var level = Logger.Level.notice
    public var format = Format.auto
    public var access = Access.errors

    public init() {}
}
