public import Access
public import Hummingbird
internal import NIOCore

/// What a request carries through middleware and controllers.
public struct LandfallRequestContext: RequestContext {
    public var coreContext: CoreRequestContextStorage
    /// Whose key the request came with; nil outside of `/v1`.
    public var credential: Credential?
    /// Where the request came from, behind trusted proxies; absent outside of `/v1`.
    var clientAddress = IPAddress.absent
    let channel: any Channel

    public init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}
