internal import Access
internal import Rendering
internal import Reports

extension Listing<StoredKey> {
    static func keys(of app: App) -> Self {
        Self(
            .constant("app", app.slug),
            .number("key_id", "Id") { $0.keyID },
            .text("kind", "Kind") { $0.kind },
            .text("prefix", "Begins with", shown: { $0.prefix + $1.ellipsis }) { $0.prefix },
            .instant("created_at", "Created (UTC)") { $0.createdAt },
            .instant("revoked_at", "Revoked (UTC)", ink: .trouble) { $0.revokedAt })
    }
}
