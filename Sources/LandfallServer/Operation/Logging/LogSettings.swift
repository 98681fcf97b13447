public import Logging

/// What the server writes to standard error, and how.
public struct LogSettings: Sendable, Equatable {
    public enum Format: String, CaseIterable, Sendable {
        /// Text on a terminal, JSON elsewhere.
        case auto
        case text
        case json
    }

    /// Which requests get a line.
    public enum Access: String, CaseIterable, Sendable {
        case on
        case off
        /// Those answered with a status of 500 or more.
        case errors
    }

    public var level = Logger.Level.notice
    public var format = Format.auto
    public var access = Access.errors

    public init() {}
}
