/// The event that makes `RequestBounds` send `100 Continue`, if the client waits for it.
struct BodyWanted: Sendable {}
