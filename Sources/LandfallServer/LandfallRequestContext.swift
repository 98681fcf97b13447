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
    /// `nil` without a device key.
    var ticket: Ticket?
    let channel: any Channel

    public init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}

final class Caller: Sendable {
    private let known = Mutex<(keyID: Int64?, isAllowedPage: Bool)>((nil, false))

    /// The number of the key; `nil` without a valid one.
    var keyID: Int64? {
        get { known.withLock { $0.keyID } }
        set { known.withLock { $0.keyID = newValue } }
    }

    /// Whether a browser sent the request for a page that may use the key.
    var isAllowedPage: Bool {
        get { known.withLock { $0.isAllowedPage } }
        set { known.withLock { $0.isAllowedPage = newValue } }
    }
}
