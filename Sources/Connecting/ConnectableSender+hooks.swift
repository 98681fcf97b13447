extension ConnectableSender {
    /// Senders that post by themselves once they are configured; `GET /v1/intake/{name}` says the rest.
    static let hooks = [
        ConnectableSender(
            "gorush", "gorush", .hook,
            loss: "Successes, unless its log is posted, too (landfall post --from gorush-log), and the "
                + "timestamp of a 410.",
            """
            core:
              feedback_hook_url: "{url}/v1/intake/gorush"
              feedback_header: ["Authorization: Bearer {key}"]
            log:
              hide_token: false
            """),
        ConnectableSender(
            "onesignal", "OneSignal", .hook, loss: "Push tokens, and the words of APNs and FCM.",
            """
            Data > Event Streams > New Event Stream, with all events of Push:
            URL     {url}/v1/intake/onesignal
            Header  Authorization: Bearer {key}
            Body    the one on docs/connect/onesignal.md
            """),
        ConnectableSender(
            "customerio", "Customer.io", .hook, loss: "Often, the words of APNs and FCM.",
            """
            Data & Integrations > Integrations > Reporting Webhooks, with all events of Push, every time:
            {url}/v1/intake/customerio?key={key}
            """),
        ConnectableSender(
            "sns", "Amazon SNS", .hook, loss: "Arrivals: the payload cannot contain the id that SNS makes.",
            """
            Delivery status of the platform application, sampled at 100 %, by Data Firehose to the endpoint:
            {url}/v1/intake/sns?key={key}
            """),
        ConnectableSender(
            "huawei", "Huawei Push Kit", .hook, loss: "The API's own responses: post them, too.",
            """
            AppGallery Connect > Push Kit > Settings > Message receipt, callback address:
            {url}/v1/intake/huawei?key={key}
            """),
        ConnectableSender(
            "expo", "Expo, any language", .hook,
            """
            # After sending, and again with "receipts" a quarter of an hour later:
            curl -sS {url}/v1/intake/expo -H "Authorization: Bearer {key}" \\
              -d '{"messages": […], "tickets": […]}'
            """),
    ]
}
