extension ConnectableSender {
    /// Senders that post by themselves once they are configured; `GET /v1/intake/{name}` says the rest.
    static let hooks = [
        ConnectableSender(
            "gorush", "gorush", .hook,
            loss:
                "Successes, which only gorush's log has (landfall post --from gorush-log), and the timestamp "
                + "of a 410.",
            """
            core:
              feedback_hook_url: "{url}/v1/intake/gorush"
              feedback_header:
                - "Authorization:Bearer {key}"
            """),
        ConnectableSender(
            "onesignal", "OneSignal", .hook, loss: "The timestamp of a 410.",
            """
            Data > Event Streams > New, with every event of Push:
              URL      {url}/v1/intake/onesignal
              Header   Authorization: Bearer {key}
              Body     as docs/connect/onesignal.md has it
            """),
        ConnectableSender(
            "customerio", "Customer.io", .hook, loss: "The provider's words and the timestamp of a 410.",
            """
            Data & Integrations > Reporting Webhooks, with every metric of Push:
              {url}/v1/intake/customerio?key={key}
            """),
        ConnectableSender(
            "sns", "Amazon SNS", .hook,
            """
            Delivery status logging of the platform application, sampled at 100 %, forwarded to
              {url}/v1/intake/sns    with    Authorization: Bearer {key}
            """),
        ConnectableSender(
            "huawei", "Huawei Push Kit", .hook, loss: "The response to the request itself: post that, too.",
            """
            AppGallery Connect > Push Kit > Receipt, callback address:
              {url}/v1/intake/huawei?key={key}
            """),
    ]
}
