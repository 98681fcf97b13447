internal import Access
internal import Rendering

extension Listing<App> {
    static var apps: Self {
        Self(
            .number("app_id") { $0.appID },
            .text("slug", "App", group: 0, isName: true) { $0.slug },
            Column(
                heading: TextTable.Column("Id", group: 1),
                cell: { app, _ in TextTable.Cell(String(app.appID)) }))
    }
}
