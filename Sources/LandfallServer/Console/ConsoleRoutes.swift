internal import Hummingbird
internal import People

/// Adds pages and forms whose visitors are signed in.
struct ConsoleRoutes {
    let group: RouterGroup<LandfallRequestContext>
    let entrance: Entrance

    func get(
        _ path: RouterPath, as role: Role = .viewer,
        _ response: @escaping @Sendable (Visit, Request) async throws -> Response
    ) {
        group.get(path) { [entrance] request, context in
            try await response(try await entrance.visit(request, context, as: role), request)
        }
    }

    /// A page.
    func page(
        _ path: RouterPath, as role: Role = .viewer,
        _ page: @escaping @Sendable (Visit) async throws -> ConsolePage
    ) {
        get(path, as: role) { visit, _ in try await page(visit).response(for: visit) }
    }

    /// A form that changes something. The response leads to the page that shows the result, or is a page itself.
    func post(
        _ path: RouterPath, as role: Role,
        _ response: @escaping @Sendable (Visit, ConsoleForm) async throws -> Response
    ) {
        group.post(path) { [entrance] request, context in
            let visit = try await entrance.visit(request, context, as: role)
            return try await response(visit, try await visit.form(request))
        }
    }
}
