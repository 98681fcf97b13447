internal import Basics
internal import Foundation

extension Preset {
    /// Huawei Push Kit's receipts (Sending receipts for downlink messages, versions 1 and 2; 1 to 1,000 per
    /// post): `biTag`, which the sender chose, is the id of the message, otherwise the `requestId`.
    ///
    /// Version 1 expects `errno` and `errmsg` in the response, version 2 `code` and `message`.
    public static let huawei = Preset(
        name: "huawei",
        setup: { url, key in
            """
            In AppGallery Connect: Push Kit > Settings > Message receipt (enable it), then add a receipt configuration:

              Callback address    \(url)?key=\(key)
              Version             V2 (V1 is read, too)
              Callback user name  any, such as landfall
              Callback key        any; give both to Landfall as USER:KEY (landfall key import huawei)

            Huawei sends no header of yours, so the address contains the key.
            Its certificate must be of a commercial authority; Huawei checks it.

            Put an id of yours into biTag of each message (bi_tag in version 1 of the API), post the response of the
            API under the same message_id, and put it into the message's data for the app.

            """
        },
        reader: { post in
            let answer = PresetAnswer.json(#"{"errno":0,"errmsg":"ok","code":"0","message":"success"}"#)
            if let secret = post.secret, let fault = post.huaweiFault(secret) {
                // The console tries the address with a post that is neither signed nor a receipt.
                let isTrial = String(decoding: post.body, as: UTF8.self).trimmed == nil
                return PresetReading(items: [], answer: answer, fault: isTrial ? nil : fault, skipped: 1)
            }
            return RecordReader(post.body, mostItems: post.mostItems) { $0.huaweiReceipts(of: post) }
                .reading(answer)
        })
}

extension PostedJSON {
    fileprivate func huaweiReceipts(of post: PresetPost) -> [PresetItem] {
        guard let statuses = self["statuses"]?.elements else {
            return [
                .unread(
                    "unread_post", "statuses is missing: Huawei posts an object with an array of that name",
                    self)
            ]
        }
        return post.first(of: statuses).map { status in
            status.huaweiReceipt
                ?? .unread(
                    "unread_post",
                    "a receipt has biTag or requestId, token, and status or deliveryStatus.result",
                    .object([.init(key: "statuses", value: .array([status]))]))
        }
    }

    private var huaweiReceipt: PresetItem? {
        let status = self["deliveryStatus"] ?? self["formStatus"]
        guard let code = (status?["result"] ?? self["status"])?.integer, let token = self["token"]?.text,
            let messageID = self["biTag"]?.text ?? self["requestId"]?.text
        else { return nil }
        let time = (status?["timestamp"] ?? self["timestamp"])?.integer.map(
            Instant.init(millisecondsSinceEpoch:))
        return code == 0
            ? arrival(messageID, token, time).item : refusal(messageID, token, code, time).item
    }

    private func arrival(_ messageID: String, _ token: String, _ time: Instant?) -> ComposedEvent {
        var event = ComposedEvent("arrival")
        event.set("message_id", messageID)
        event.set("evidence", "provider")
        event.set("provider", "hms")
        event.set("token", token)
        event.set("occurred_at", time)
        return event
    }

    private func refusal(
        _ messageID: String, _ token: String, _ code: Int64, _ time: Instant?
    ) -> ComposedEvent {
        var event = ComposedEvent("response")
        if let time {
            event.set("message_id", id: messageID, sentAt: .sending(messageID, reportedAt: time))
        } else {
            event.set("message_id", messageID)
        }
        event.set("provider", "huawei_receipt")
        event.set("status", code)
        event.set("token", token)
        event.set("provider_id", self["requestId"]?.text)
        if !Self.waiting.contains(code) { event.set("final", true) }
        return event
    }

    /// The codes after which the message may still be shown, or was not shown for a reason on the device: 6
    /// display off, 10 inactive for 30 days, 15 overwritten by a newer one, 27 cached until the process runs,
    /// 51 locked after a restart, 102 over the rate limit. They do not correct an acceptance.
    private static let waiting: Set<Int64> = [6, 10, 15, 27, 51, 102]
}

extension PresetPost {
    /// What is wrong with the header `X-HUAWEI-CALLBACK-ID: timestamp=…; nonce=…; value=…`, in which `value`
    /// is Base64 of HMAC-SHA256 over timestamp, nonce and callback user name. `nil` if nothing is.
    ///
    /// The console creates keys in Base64, and takes others as they are: both are tried.
    ///
    /// - Parameter secret: `USER:KEY`.
    fileprivate func huaweiFault(_ secret: String) -> PresetFault? {
        let parts = secret.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else {
            return HookSignature.fault(
                "the preset's secret must be USER:KEY, the callback user name and key of AppGallery Connect")
        }
        var fields: [String: String] = [:]
        for field in (headers["x-huawei-callback-id"] ?? "").split(separator: ";") {
            let pair = field.split(separator: "=", maxSplits: 1)
            if pair.count == 2, let name = String(pair[0]).trimmed { fields[name] = String(pair[1]).trimmed }
        }
        guard let timestamp = fields["timestamp"], let nonce = fields["nonce"],
            let code = fields["value"].flatMap({ Data(base64Encoded: $0) })
        else {
            return HookSignature.fault(
                "X-HUAWEI-CALLBACK-ID is missing: set both a callback user name and a callback key in AppGallery Connect"
            )
        }
        let key = String(parts[1])
        let keys = [Data(key.utf8), Data(base64Encoded: key)].compactMap { $0 }
        let text = Array("\(timestamp)\(nonce)\(parts[0])".utf8)
        guard keys.contains(where: { HookSignature.isValid(code, of: text, key: $0) }) else {
            return HookSignature.fault(
                "the signature is wrong: the preset's secret must be USER:KEY, as in AppGallery Connect")
        }
        return HookSignature.isTimely(timestamp, now: now)
            ? nil : HookSignature.fault("the signature is too old, or this server's clock is wrong")
    }
}
