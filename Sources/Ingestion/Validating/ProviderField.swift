/// The names of fields, without case and separators.
enum ProviderField {
    static let statuses: Set = [
        "status", "statuscode", "httpstatus", "httpstatuscode", "httpcode", "responsestatus",
    ]
    static let errorCodes: Set = ["errorcode", "messagingerrorcode", "fcmerrorcode"]
    static let codes: Set = [
        "code", "result", "resultcode", "retcode", "rescode", "ret", "errcode", "errno", "errornumber",
    ]
    static let reasons: Set = ["reason", "rejectionreason", "rejectreason", "failurereason"]
    static let errors: Set = ["error", "errors", "errorname", "exception"]
    static let texts: Set = [
        "message", "msg", "description", "desc", "info", "detail", "details", "title", "string",
        "errormessage",
        "errmsg", "errordescription", "statusmessage", "resultmsg",
    ]
    static let bodies: Set = [
        "body", "data", "text", "response", "responsebody", "responsetext", "providerresponse", "rawbody",
        "content",
        "cause",
    ]
    static let timestamps: Set = [
        "timestamp", "tokeninvalidationtimestamp", "tokenexpirationtimestamp", "invalidsince",
    ]
    static let ids: Set = ["id", "messageid", "msgid", "taskid", "notificationid"]
    static let successes: Set = [
        "success", "ok", "accepted", "issuccess", "sendresult", "recipients", "successcount",
    ]
    static let failures: Set = ["failure", "failurecount", "failcount"]

    static func isNumeric(_ name: String) -> Bool {
        codes.contains(name) || statuses.contains(name) || successes.contains(name) || failures.contains(name)
    }

    static func place(_ name: String) -> ProviderBody.Place? {
        if errorCodes.contains(name) { return .errorCode }
        if reasons.contains(name) { return .reason }
        if errors.contains(name) { return .error }
        if codes.contains(name) || statuses.contains(name) { return .code }
        if name == "type" { return .wrapper }
        return texts.contains(name) || bodies.contains(name) ? .text : nil
    }

    /// Whether the field describes an HTTP client's request or a library, and not the response.
    static func isSkipped(_ name: String) -> Bool {
        [
            "config", "request", "req", "options", "headers", "responseheaders", "stack", "stacktrace",
            "timings", "agent",
            "socket", "payload", "notification",
        ].contains(name)
    }

    /// Whether the field lists tokens that failed: `invalid_player_ids`, `illegal_tokens`, `bad_regids`, `failed`, …
    static func isListOfFailures(_ name: String) -> Bool {
        guard ["invalid", "illegal", "fail", "bad", "expire", "unregistered"].contains(where: name.hasPrefix)
        else {
            return false
        }
        return ["token", "id", "user", "reg", "device", "alias", "target", "recipient"].contains(
            where: name.contains)
            || ["failed", "invalid", "expired"].contains(name)
    }
}
