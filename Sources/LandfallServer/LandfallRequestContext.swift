public import Access
public import Hummingbird

/// What a request carries through middleware and controllers.
public struct LandfallRequestContext: RequestContext {
    public var coreContext: CoreRequestContextStorage
    /// Whose key the request came with; nil outside of `/v1`.
    public var credential: Credential?

    public init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
    }
}
