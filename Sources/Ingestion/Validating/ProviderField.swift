/// The names of fields, without case and separators.
enum ProviderField {
    static let statuses: Set = [
        "status", "statuscode", "httpstatus", "httpstatuscode", "httpcode", "responsestatus",
    ]
    static let errorCodes: Set = ["errorcode", "messagingerrorcode", "fcmerrorcode"]
    static let codes: Set = [
        "code", "result", "resultcode", "retcode", "rescode", "ret", "errcode", "errno", "errornumber",
    ]
    static let errors: Set = ["error", "errors", "errorname", "exception"]
    static let texts: Set = [
        "message", "msg", "description", "desc", "info", "detail", "details", "title", "string",
        "errormessage", "errmsg", "errordescription", "statusmessage", "resultmsg",
    ]
    static let bodies: Set = [
        "body", "data", "text", "response", "responsebody", "responsetext", "providerresponse", "rawbody",
        "content", "cause",
    ]
    static let timestamps: Set = [
        "timestamp", "tokeninvalidationtimestamp", "tokenexpirationtimestamp", "invalidsince",
    ]
    static let ids: Set = ["id", "messageid", "msgid", "taskid", "notificationid"]
    static let successes: Set = [
        "success", "successful", "ok", "accepted", "issuccess", "issuccessful", "sendresult", "recipients",
        "successcount",
    ]
    /// They name the token that an object is about.
    static let tokens: Set = [
        "device", "devicetoken", "token", "registrationtoken", "regid", "registrationid", "pushtoken",
        "expopushtoken", "endpoint",
    ]
    /// They contain one result for each push.
    static let results: Set = ["results", "responses", "data", "tickets", "receipts"]
    static let failures: Set = ["failure", "failurecount", "failcount"]

    static func isNumeric(_ name: String) -> Bool {
        codes.contains(name) || statuses.contains(name) || errorCodes.contains(name)
            || successes.contains(name) || failures.contains(name)
    }

    static func place(_ name: String) -> ProviderBody.Place? {
        if errorCodes.contains(name) { return .errorCode }
        if name.hasSuffix("reason") { return .reason }
        if errors.contains(name) { return .error }
        if codes.contains(name) || statuses.contains(name) { return .code }
        if name == "type" { return .wrapper }
        return texts.contains(name) || bodies.contains(name) ? .text : nil
    }

    /// Whether the field describes an HTTP client's request, a library or a warning, and not the response.
    static func isSkipped(_ name: String) -> Bool {
        [
            "config", "request", "req", "options", "headers", "responseheaders", "stack", "stacktrace",
            "timings", "agent", "socket", "payload", "notification", "warning", "warnings",
        ].contains(name)
    }

    /// The list of tokens to which the push was sent.
    static func isListOfSuccesses(_ name: String) -> Bool {
        ["sent", "succeeded", "successes", "successtokens", "validtokens"].contains(name)
    }

    /// Whether it lists failed tokens: `invalid_player_ids`, `illegal_tokens`, `bad_regids`, `failed`, …
    static func isListOfFailures(_ name: String) -> Bool {
        guard ["invalid", "illegal", "fail", "bad", "expire", "unregistered"].contains(where: name.hasPrefix)
        else { return false }
        return ["token", "id", "user", "reg", "device", "alias", "target", "recipient"].contains(
            where: name.contains)
            || ["failed", "invalid", "expired"].contains(name)
    }
}
