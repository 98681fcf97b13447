/// The targets of fuzzing: each receives bytes and checks what must hold for any bytes.
public enum FuzzTarget: String, CaseIterable, Sendable {
    /// Bodies of events, from their bytes to valid events.
    case decoder
    /// Compressed request bodies.
    case gzip
    /// Arrays in PostgreSQL's binary format.
    case arrays
    /// Instants and UUIDs as text.
    case instants

    /// Checks the bytes. A trap is a finding as well, and is not caught.
    public func check(_ bytes: [UInt8]) throws(FuzzFinding) {
        switch self {
        case .decoder: try DecoderCheck.run(bytes)
        case .gzip: try GzipCheck.run(bytes)
        case .arrays: try ArrayCheck.run(bytes)
        case .instants: try InstantCheck.run(bytes)
        }
    }
}

/// A condition that did not hold.
public struct FuzzFinding: Error, Equatable, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    static func require(_ holds: Bool, _ description: @autoclosure () -> String) throws(FuzzFinding) {
        if !holds { throw FuzzFinding(description()) }
    }
}
