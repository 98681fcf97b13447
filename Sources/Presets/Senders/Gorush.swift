internal import Basics

extension Preset {
    /// gorush's feedback hook (appleboy/gorush 891b453, `logx.LogPushEntry` and `notify/feedback.go`): one
    /// entry per request, failures only, posted once. A status other than 200 is an error in gorush's log.
    ///
    /// `notif_id` is one per request, so it is the id of a message. The time of the push is not posted: that
    /// in a version 7 id is taken, or that of receipt. gorush posts when the push service has responded, so
    /// the two are seconds apart, unless gorush was slow: then a token that was registered meanwhile is
    /// retired. The `logs` of a response of gorush's API are read, too.
    public static let gorush = Preset(
        name: "gorush",
        setup: { url, key in
            """
            In gorush's configuration (YAML), then restart it:

              core:
                feedback_hook_url: "\(url)"
                feedback_header: ["Authorization: Bearer \(key)"]
              log:
                format: json
                access_log: /var/log/gorush/access.log
                error_log: /var/log/gorush/error.log
                hide_token: false   # otherwise gorush hides the tokens from the hook, too

            Put an id of yours into notif_id of each request to gorush, and into its data: "landfall": {"message": "ID"}.
            The hook reports failures only. Post the successes from gorush's access log, with a server key:

              landfall post --from gorush-log --follow /var/log/gorush/access.log

            """
        },
        reader: { post in
            RecordReader(post.body, mostItems: post.mostItems) { record in
                post.first(of: record["logs"]?.elements ?? [record])
                    .map { push in
                        push.gorushPush(sentAt: .sending(push["notif_id"]?.text, reportedAt: post.now)).item()
                    }
            }.reading
        })
}

extension PostedJSON {
    func gorushPush(sentAt: Instant) -> LoggedPush {
        LoggedPush(
            sender: "gorush", entry: self, messageID: self["notif_id"]?.text, sentAt: sentAt,
            unmasking: "log.hide_token: false in its configuration")
    }
}
