public import Access
public import Hummingbird
internal import NIOCore
internal import Synchronization

/// What a request carries through middleware and controllers.
public struct LandfallRequestContext: RequestContext {
    public var coreContext: CoreRequestContextStorage
    /// Whose key the request came with; nil outside of `/v1`.
    public var credential: Credential? {
        didSet { caller.keyID = credential?.keyID }
    }
    /// The same in every copy of the context, for the middleware outside of the one that knows the key.
    let caller = Caller()
    /// Where the request came from, behind trusted proxies; absent outside of `/v1`.
    var clientAddress = IPAddress.absent
    let channel: any Channel

    public init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}

/// Who made a request.
final class Caller: Sendable {
    private let known = Mutex<Int64?>(nil)

    /// The number of the key; nil without a valid one.
    var keyID: Int64? {
        get { known.withLock { $0 } }
        set { known.withLock { $0 = newValue } }
    }
}
