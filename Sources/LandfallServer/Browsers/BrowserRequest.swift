internal import Access
internal import HTTPTypes

/// What pages of other origins may do (https://fetch.spec.whatwg.org/#http-cors-protocol).
///
/// Pages can be read by anyone, so a browser may only use device keys, and only for what a device posts.
struct BrowserRequest {
    enum Verdict: String, CaseIterable, Sendable {
        case allowed
        case otherOrigin = "origin_not_allowed"
        case secretKey = "key_not_for_browsers"

        /// The problem of a request that is not allowed.
        var problem: Problem? {
            switch self {
            case .allowed: nil
            case .otherOrigin:
                Problem(
                    .forbidden, "origin_not_allowed",
                    "no app, or not the key's app, lists the page's origin: landfall app set cors_origins")
            case .secretKey:
                Problem(
                    .forbidden, "key_not_for_browsers",
                    "a page uses a key that belongs on a server: revoke the key, and give the page a device key"
                )
            }
        }
    }

    /// As the browser sent it.
    let origin: String

    /// Returns `nil` unless a browser sent the request for a page or a service worker.
    init?(_ headers: HTTPFields) {
        guard let origin = headers[.origin] else { return nil }
        self.origin = origin
    }

    /// A browser asks before the request, without a key.
    func preflight(_ origins: WebOrigins) -> Verdict {
        origins.contains(origin) ? .allowed : .otherOrigin
    }

    func verdict(for credential: Credential) -> Verdict {
        guard credential.kind == .device else { return .secretKey }
        return preflight(credential.app.origins)
    }

    /// The header fields with which a page may read a response.
    var allowing: HTTPFields {
        [
            .accessControlAllowOrigin: origin,
            .accessControlExposeHeaders: "Retry-After, X-Request-ID, RateLimit, RateLimit-Policy",
        ]
    }

    /// The header fields of the response to a preflight.
    func preflightAllowing(_ method: HTTPRequest.Method) -> HTTPFields {
        [
            .accessControlAllowOrigin: origin, .accessControlAllowMethods: method.rawValue,
            .accessControlAllowHeaders: "Authorization, Content-Type, Content-Encoding, Landfall-Credential",
            // Two hours, which is the longest that Chromium remembers it. Each request is checked anyway.
            .accessControlMaxAge: "7200",
        ]
    }
}
