/// The place of a stream among those that may be open. It is free again once no one holds this object: also if the body of the
/// response is never written, because the client asked for its head.
final class StreamPlace: Sendable {
    private let stays: @Sendable () -> Bool
    private let release: @Sendable () -> Void

    /// - Parameter stays: whether the stream may go on.
    init(stays: @escaping @Sendable () -> Bool = { true }, release: @escaping @Sendable () -> Void) {
        (self.stays, self.release) = (stays, release)
    }

    /// Whether the stream may go on.
    var isOpen: Bool { stays() }

    deinit { release() }
}
