/// The place of a stream among those that may be open. It is free again once no one holds this object: also if the body of the
/// response is never written, because the client asked for its head.
final class StreamPlace: Sendable {
    private let release: @Sendable () -> Void

    init(release: @escaping @Sendable () -> Void) { self.release = release }

    deinit { release() }
}
