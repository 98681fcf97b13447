/// A tenant: everything Landfall stores belongs to exactly one app.
public struct App: Hashable, Decodable, Sendable {
    public let appID: Int64
    /// The name used in commands: `--app shop`.
    public let slug: String
    /// Provider words of this app besides those that every app may use (`landfall app set providers`).
    public package(set) var additionalProviders: [String] = []
    /// The origins whose pages may use the app's device keys; read with a key only.
    public package(set) var origins = WebOrigins()
    /// The cell that has the app.
    package var cell = CellNumber.front

    private enum CodingKeys: CodingKey {
        case appID, slug
    }

    public init(
        appID: Int64, slug: String, additionalProviders: [String] = [], origins: WebOrigins = WebOrigins()
    ) {
        self.appID = appID
        self.slug = slug
        self.additionalProviders = additionalProviders
        self.origins = origins
    }

    /// At most 63 lowercase letters, digits, `.`, `_` and `-`, beginning with a letter or digit.
    package static func isValid(slug: String) -> Bool {
        let allowed: (Character) -> Bool = {
            $0.isASCII && ($0.isLowercase || $0.isNumber || "._-".contains($0))
        }
        guard let first = slug.first, slug.count <= FieldLimits.slug else { return false }
        return !"._-".contains(first) && slug.allSatisfy(allowed)
    }
}
