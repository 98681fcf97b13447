import Basics
import Crypto
import Foundation
import Presets
import Testing

@Suite struct HookSignatureTests {
    private let now = PresetGolden.now
    private let customerIO = Array(
        #"{"event_id":"e","object_type":"push","metric":"sent","timestamp":1795795205,"data":{"delivery_id":"d","recipients":[{"device_id":"t"}]}}"#
            .utf8)
    private let huawei = Array(
        #"{"statuses":[{"biTag":"131415","token":"IQ","status":0,"timestamp":1795795205123}]}"#.utf8)

    private func code(_ text: [UInt8], _ key: Data) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: text, using: SymmetricKey(data: key)))
    }

    private func readCustomerIO(_ headers: [String: String], body: [UInt8]? = nil) throws -> PresetReading {
        try #require(Preset.named("customerio")).read(
            PresetPost(headers: headers, body: body ?? customerIO, secret: "signing-key", now: now))
    }

    private func customerIOHeaders(at time: Instant, prefix: String = "", key: String = "signing-key")
        -> [String: String]
    {
        let seconds = time.millisecondsSinceEpoch / 1_000
        let code = code(Array("v0:\(seconds):".utf8) + customerIO, Data(key.utf8))
        return [
            "x-cio-timestamp": "\(seconds)",
            "x-cio-signature": prefix + code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(),
        ]
    }

    @Test("Customer.io's signature is accepted with and without its version, also a week later")
    func customerIOValid() throws {
        for headers in [
            customerIOHeaders(at: now), customerIOHeaders(at: now, prefix: "v0="),
            customerIOHeaders(at: now - .days(7)),
        ] {
            let reading = try readCustomerIO(headers)
            #expect(reading.fault == nil)
            #expect(reading.items.count == 1)
        }
    }

    @Test(
        "a post of Customer.io with another key, body or time, or without a signature, is a fault, and nothing is read"
    )
    func customerIOInvalid() throws {
        var cut = customerIOHeaders(at: now)
        cut["x-cio-signature"]?.removeLast(2)
        var timeless = customerIOHeaders(at: now)
        timeless["x-cio-timestamp"] = "now"
        for headers in [
            [:], cut, timeless, customerIOHeaders(at: now, key: "another"),
            customerIOHeaders(at: now - .days(9)), customerIOHeaders(at: now + .minutes(6)),
        ] {
            let reading = try readCustomerIO(headers)
            #expect(reading.fault?.code == "invalid_signature")
            #expect(reading.items.isEmpty)
        }
        #expect(try readCustomerIO(customerIOHeaders(at: now), body: customerIO + [0x20]).fault != nil)
    }

    private func huaweiHeaders(_ time: Int64, user: String = "landfall", key: Data) -> [String: String] {
        let nonce = "a07bfa17-6d82-4b53-a9a2-07cfef5ceef1"
        let value = code(Array("\(time)\(nonce)\(user)".utf8), key).base64EncodedString()
        return ["x-huawei-callback-id": "timestamp=\(time); nonce=\(nonce); value=\(value)"]
    }

    private func readHuawei(_ headers: [String: String], secret: String, body: [UInt8]? = nil) throws
        -> PresetReading
    {
        try #require(Preset.named("huawei")).read(
            PresetPost(headers: headers, body: body ?? huawei, secret: secret, now: now))
    }

    @Test("Huawei's signature is accepted with a key as text and in Base64, with seconds and milliseconds")
    func huaweiValid() throws {
        let milliseconds = now.millisecondsSinceEpoch
        let text = "a key: of ours"
        #expect(
            try readHuawei(huaweiHeaders(milliseconds, key: Data(text.utf8)), secret: "landfall:\(text)")
                .fault == nil)
        let bytes = Data((0..<36).map { $0 })
        let secret = "landfall:\(bytes.base64EncodedString())"
        #expect(
            try readHuawei(huaweiHeaders(milliseconds / 1_000, key: bytes), secret: secret).items.count == 1)
    }

    @Test("a receipt of Huawei with another user or key, or unsigned, is a fault; the console's trial is not")
    func huaweiInvalid() throws {
        let (time, key) = (now.millisecondsSinceEpoch, Data("key".utf8))
        for headers in [
            [:], huaweiHeaders(time, user: "other", key: key), huaweiHeaders(time, key: Data("other".utf8)),
            huaweiHeaders(time - 9 * 86_400_000, key: key),
            ["x-huawei-callback-id": "timestamp=1;nonce;value=="],
        ] {
            let reading = try readHuawei(headers, secret: "landfall:key")
            #expect(reading.fault?.code == "invalid_signature")
            #expect(reading.items.isEmpty)
        }
        let unusable = try readHuawei(huaweiHeaders(time, key: key), secret: "key")
        #expect(unusable.fault?.detail.contains("USER:KEY") == true)
        let trial = try readHuawei([:], secret: "landfall:key", body: [])
        #expect(trial.fault == nil && trial.items.isEmpty && trial.skipped == 1)
        for body in [#"{"statuses":[]}"#, "{}", "user=landfall"] {
            let reading = try readHuawei([:], secret: "landfall:key", body: Array(body.utf8))
            #expect(reading.fault?.code == "invalid_signature", "\(body)")
        }
    }
}
