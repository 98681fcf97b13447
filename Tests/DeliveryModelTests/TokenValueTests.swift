import Testing

@testable import DeliveryModel

@Suite struct TokenValueTests {
    @Test(
        "spellings of one value have one canonical form",
        arguments: [
            ("apns", ["A1B2", "a1b2", "<a1b2>", "<A1 B2>"]),
            ("webpush", ["https://a.example/x%2fY", "HTTPS://A.example:443/x%2FY"]),
            (
                "webpush",
                [
                    "https://fcm.googleapis.com/fcm/send/Ab", "https://fcm.googleapis.com/wp/Ab",
                    "https://android.googleapis.com/gcm/send/Ab",
                ]
            ),
            ("expo", ["ExpoPushToken[Ab]", "ExponentPushToken[Ab]"]),
            ("onesignal", ["B186912C-CF25-4688-8218-06CB13E09A4F", "b186912c-cf25-4688-8218-06cb13e09a4f"]),
        ])
    func canonical(issuer: String, spellings: [String]) throws {
        let forms = Set(try spellings.map { try TokenValue.read($0, issuer: issuer).get().canonical })
        #expect(forms.count == 1, "\(forms)")
    }

    @Test(
        "different values stay different",
        arguments: [
            ("webpush", "https://a.example/x%2FY", "https://a.example/x/Y"),
            ("webpush", "https://a.example/x", "https://a.example/X"),
            ("webpush", "https://a.example:8443/x", "https://a.example/x"), ("fcm", "fcm:Ab", "fcm:aB"),
            ("xiaomi", "AbC+/", "abc+/"),
        ])
    func different(issuer: String, one: String, other: String) throws {
        let forms = try [one, other].map { try TokenValue.read($0, issuer: issuer).get().canonical }
        #expect(forms[0] != forms[1])
    }

    @Test("a value is given back as it was posted, unless it has to be repaired")
    func text() throws {
        #expect(try TokenValue.read("A1B2", issuer: "apns").get().text == "A1B2")
        #expect(try TokenValue.read("<A1 B2>", issuer: "apns").get().text == "a1b2")
    }

    @Test(
        "a value that cannot be a token of its issuer is rejected with the reason",
        arguments: [
            ("fcm", "", .absent), ("vivo", "NULL", .absent), ("apns", "<null>", .absent),
            ("honor", "N/A", .absent),
            ("fcm", "a b", .hasSpaces), ("apns", "a1b\n", .hasSpaces),
            ("fcm", String(repeating: "x", count: 1_025), .tooLong),
            ("webpush", "https://a.example/" + String(repeating: "x", count: 2_040), .tooLong),
            ("apns", String(repeating: "0", count: 64), .zeros), ("apns", "<00000000 00000000>", .zeros),
            ("fcm", "00000000-0000-0000-0000-000000000000", .zeros),
            ("fcm", "Optional(\"fcm:abc\")", .description),
            ("fcm", "java.io.IOException: SERVICE_NOT_AVAILABLE", .description),
            ("fcm", "[object Object]", .description),
            ("fcm", "SERVICE_NOT_AVAILABLE", .errorName), ("hms", "AUTHENTICATION_FAILED", .errorName),
            ("fcm", "\"f1:APA91bAb\"", .isEncoded), ("fcm", "f1%3AAPA91bAb", .isEncoded),
            ("fcm", "f1:APA91bAb,f2:APA91bCd", .isEncoded), ("fcm", "f1:APA91b****", .isEncoded),
            ("fcm", "f1:APA91bAb...", .isEncoded),
            ("fcm", "System.Threading.Tasks.Task`1[String]", .isEncoded),
            ("fcm", "com.google.android.gms.tasks.zzw@3f1c2d", .isEncoded),
            ("fcm", "kotlin.Unit", .isEncoded),
            ("expo", "ExponentPushToken[Ab", .isEncoded), ("expo", "ExponentPushToken[]", .isEncoded),
            ("fcm", "/topics/news", .isEncoded), ("vivo", "\\N", .absent), ("fcm", "<no value>", .absent),
            ("expo", "f1:APA91bAb", .isFCMToken), ("hms", "f1:APA91bAb", .isFCMToken),
            ("hms", String(repeating: "a1", count: 32), .isBareHex),
            ("webpush", "{\"endpoint\":\"https://a.example/x\"}", .notAnEndpoint),
            ("webpush", "https://u:p@a.example/x", .notAnEndpoint),
            ("webpush", "https://fcm.googleapis.com/fcm/send/", .notAnEndpoint),
            ("fcm", "eyJh.eyJp.c2ln", .jsonWebToken), ("fcm", "eyJh.a.b.c.d", .jsonWebToken),
            ("onesignal", "a@b.example", .emailAddress),
            ("sns", "+4930123456", .telephoneNumber),
            ("apns", "abc", .notHex), ("apns", "fcm:APA91b", .notHex),
            ("webpush", "http://a.example/x", .notAnEndpoint),
            ("webpush", "https://a.example/", .notAnEndpoint),
            ("webpush", "https://gone.invalid/x", .endpointIsGone),
            ("fcm", "https://a.example/x", .isEndpoint), ("fcm", "ExpoPushToken[Ab]", .isExpoToken),
            ("fcm", String(repeating: "a1", count: 32), .isBareHex),
            ("fcm", "b186912c-cf25-4688-8218-06cb13e09a4f", .isUUID),
        ] as [(String, String, TokenValueFault)])
    func faults(issuer: String, value: String, fault: TokenValueFault) {
        guard case .failure(let found) = TokenValue.read(value, issuer: issuer) else {
            Issue.record("\(value) is read as a token")
            return
        }
        #expect(found == fault)
        #expect(!found.advice.isEmpty)
    }

    @Test(
        "real values of every issuer are tokens",
        arguments: [
            ("fcm", "fMEP0vJqS0:APA91bHun4MxP5egoKMwt2KZFBaFUH-1RYqx_Aa"), ("fcm", "cX1-2_aBcDeFgHiJkLmNoP"),
            ("webpush", "https://wns2-db5p.notify.windows.com/w/?token=BQYAAAD%2f5NvY%2bQ"),
            ("webpush", "http://localhost:8080/push/1"),
            ("expo", "ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]"), ("hms", "IQAAAACy0UaEAACjbXl4"),
            ("vivo", "15512345678901234567890"),
            ("oppo", "OPPO_CN_3f2a9c0d1e4b"), ("xiaomi", "d//igwEhgBGCI2TG6lWqlK8Lww+/="),
            ("onesignal", "player-1"), ("customerio", "f1:APA91bAb"), ("expo", "ExpoPushToken[x_-Y]"),
            ("honor", "BAEAAAAAB.jwkbwx~0=="),
            (
                "sns",
                "arn:aws:sns:eu-central-1:123456789012:endpoint/APNS/shop/b186912c-cf25-4688-8218-06cb13e09a4f"
            ),
        ])
    func real(issuer: String, value: String) throws {
        #expect(try TokenValue.read(value, issuer: issuer).get().text == value)
    }
}
