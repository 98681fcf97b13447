internal import HTTPTypes

/// A rate limit as responses show it.
struct RatePolicy: Sendable {
    /// Letters, digits and hyphens.
    let name: String
    let limit: RateLimit

    /// `RateLimit-Policy: "device-key";q=100;w=5` and `RateLimit: "device-key";r=99;t=1`, as in
    /// draft-ietf-httpapi-ratelimit-headers-10: quota and window in seconds, what remains of the quota, and the seconds until it
    /// is whole again (for a rejected request, until the next one will pass).
    func fields(_ allowance: TokenBucket.Allowance) -> HTTPFields {
        var fields = HTTPFields()
        if let policy = HTTPField.Name("RateLimit-Policy"), let state = HTTPField.Name("RateLimit") {
            fields[policy] = "\"\(name)\";q=\(limit.burst);w=\(limit.window.wholeSeconds)"
            fields[state] = "\"\(name)\";r=\(allowance.remaining);t=\(allowance.wait.wholeSeconds)"
        }
        return fields
    }

    /// The response to a caller that was not granted a token.
    func problem(_ allowance: TokenBucket.Allowance, _ detail: String) -> Problem {
        var headers = fields(allowance)
        headers[.retryAfter] = String(allowance.wait.wholeSeconds)
        return Problem(.tooManyRequests, "rate_limited", detail, headers: headers)
    }
}

extension Duration {
    /// Whole seconds, rounded up.
    fileprivate var wholeSeconds: Int64 {
        components.seconds + (components.attoseconds > 0 ? 1 : 0)
    }
}
