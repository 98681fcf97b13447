public import Access
public import Hummingbird
internal import NIOCore
internal import Synchronization

/// The context that a request carries through middleware and controllers.
public struct LandfallRequestContext: RequestContext {
    public var coreContext: CoreRequestContextStorage
    /// The key that the request came with; `nil` outside `/v1`.
    public var credential: Credential? {
        didSet { caller.keyID = credential?.keyID }
    }
    /// Shared by all copies of the context, for middleware that runs before the key is known.
    let caller = Caller()
    /// The client's address, behind trusted proxies; absent outside `/v1`.
    var clientAddress = IPAddress.absent
    /// What a device's request owes its address.
    var toll: Toll?
    let channel: any Channel

    public init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}

final class Caller: Sendable {
    private let known = Mutex<Int64?>(nil)

    /// The number of the key; `nil` without a valid one.
    var keyID: Int64? {
        get { known.withLock { $0 } }
        set { known.withLock { $0 = newValue } }
    }
}
