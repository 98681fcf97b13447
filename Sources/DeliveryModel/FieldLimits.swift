/// The lengths and counts that fields may have. The schema checks `person` and, of annotations, `line` too.
public enum FieldLimits {
    /// The Unicode scalars of a text, such as the name of a campaign or an account.
    public static let text = 255
    /// The Unicode scalars of the name of a sender.
    public static let sender = 64
    /// The bytes of an event: more than any needs.
    public static let item = 64 << 10
    /// The bytes of a token.
    public static let token = 1_024
    /// The bytes of a Web Push endpoint.
    public static let endpoint = 2_048
    /// The bytes of a response's status that is a word.
    public static let statusWord = 64

    /// The tokens of one registration.
    public static let tokens = 50
    /// The tags of an installation.
    public static let tags = 100
    /// The names in `missing_categories`.
    public static let categories = 20

    /// The characters of an app's slug.
    public static let slug = 63
    /// The bytes of a web origin.
    public static let origin = 255
    /// The characters of a provider's name that an app adds.
    public static let provider = 32
    /// The Unicode scalars of a person's name. The longest e-mail address has 254.
    public static let person = 254
    /// The Unicode scalars of an annotation, or of the title of a shared page: one line.
    public static let line = 200
    /// The bytes of a page's path and query, if it is shared or a sign-in leads back to it.
    public static let sharedPath = 2_000
}

extension String {
    /// Whether PostgreSQL can have stored the text as a name.
    public var isStorable: Bool { unicodeScalars.count <= FieldLimits.text && !utf8.contains(0) }
}
