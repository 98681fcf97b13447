internal import Hummingbird

extension Router where Context == LandfallRequestContext {
    /// The methods of RFC 9110, PATCH, and QUERY, which is on its way.
    private static var methods: [HTTPRequest.Method] {
        [.get, .head, .post, .put, .patch, .delete, .options, .trace, .connect]
            + [HTTPRequest.Method("QUERY")].compactMap(\.self)
    }

    /// Answers 405 with `Allow` where a path is known, but not with this method. To be called behind all routes.
    func refuseOtherMethods() {
        for (_, routes) in Dictionary(grouping: routes, by: \.path.description) {
            var allowed = Set(routes.map(\.method))
            // Hummingbird makes these later.
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
