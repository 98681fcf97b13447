internal import Hummingbird

extension Router where Context == LandfallRequestContext {
    /// The methods of RFC 9110, PATCH, and the draft method QUERY.
    private static var methods: [HTTPRequest.Method] {
        [.get, .head, .post, .put, .patch, .delete, .options, .trace, .connect]
            + [HTTPRequest.Method("QUERY")].compactMap(\.self)
    }

    /// Adds routes that respond with 405 and `Allow` if a path exists, but not for the request's method. Call
    /// it after all routes are added.
    func rejectOtherMethods() {
        for (_, routes) in Dictionary(grouping: routes, by: \.path.description) {
            var allowed = Set(routes.map(\.method))
            // Hummingbird adds HEAD later.
            if allowed.contains(.get) { allowed.insert(.head) }
            let list = allowed.map(\.rawValue).sorted().joined(separator: ", ")
            for route in routes.prefix(1) {
                for method in Self.methods where !allowed.contains(method) {
                    on(route.path, method: method) { _, _ -> Response in
                        throw Problem(
                            .methodNotAllowed, "method_not_allowed", "this path accepts \(list)",
                            headers: [.allow: list])
                    }
                }
            }
        }
    }
}
