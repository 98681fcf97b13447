/// Connections that a server closed within 30 s because too many of one address had a request in progress.
public struct CrowdedAddresses: Hashable, Codable, Sendable {
    public let closed: Int64

    public init(closed: Int64) { self.closed = closed }
}

/// Requests about installations that a server rejected within 30 s because they carried no credential.
public struct RequestsWithoutCredential: Hashable, Codable, Sendable {
    public let count: Int64

    public init(count: Int64) { self.count = count }
}

/// Keys that belong on servers and that pages in browsers used.
public struct KeysInPages: Hashable, Codable, Sendable {
    public struct Key: Hashable, Codable, Sendable {
        /// The app's name.
        public let app: String
        public let keyID: Int64
        /// `server` or `report`.
        public let kind: String

        public init(app: String, keyID: Int64, kind: String) {
            (self.app, self.keyID, self.kind) = (app, keyID, kind)
        }
    }

    public let keys: [Key]

    public init(keys: [Key]) { self.keys = keys }
}
