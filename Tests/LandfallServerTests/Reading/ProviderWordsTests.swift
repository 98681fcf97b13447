import DeliveryModel
import Foundation
import PostgresClient
import TestDatabase
import Testing

/// Responses of providers and their libraries, as senders post them: the class that each counts as, and the
/// state of the token afterward.
@Suite(.database) struct ProviderWordsTests {
    struct Fixture: Sendable {
        let provider: String
        let fields: String
        let outcomeClass: String
        let tokenState: String

        init(_ provider: String, _ fields: String, _ outcomeClass: String, _ tokenState: String = "active") {
            self.provider = provider
            self.fields = fields
            self.outcomeClass = outcomeClass
            self.tokenState = tokenState
        }
    }

    /// Every fixture has an app of its own, so that no breaker opens.
    private func check(_ fixtures: [Fixture], warned: Bool = false) async throws {
        try await TestServer.run { server async throws in
            for (number, fixture) in fixtures.enumerated() {
                let (app, keys) = try await TestServer.makeApp("case-\(number)")
                let posted = PostedResponse(server.with(keys: keys, app: app), fixture.provider)
                try await posted.introduce()
                let recorded = try await posted.post(fixture.fields)
                #expect(
                    recorded.outcomeClass == fixture.outcomeClass
                        && recorded.tokenState == fixture.tokenState,
                    "\(fixture.provider) \(fixture.fields)\n→ \(recorded)")
                #expect(
                    recorded.warnings.contains("unlisted_reason") == warned,
                    "\(fixture.provider) \(fixture.fields)\n→ \(recorded)")
            }
        }
    }

    @Test("an error inside a 2xx is a rejection, for every provider")
    func refusals() async throws {
        try await check([
            Fixture(
                "gcm",
                #""status":200,"error":{"success":0,"failure":1,"results":[{"error":"NotRegistered"}]}"#,
                "token_dead", "retired"),
            Fixture("gcm", #""status":200,"error":{"error":"NotRegistered"}"#, "token_dead", "retired"),
            Fixture("gcm", #""status":200,"reason":"NotRegistered""#, "token_dead", "retired"),
            Fixture("gcm", #""status":200,"error":"Error=NotRegistered""#, "token_dead", "retired"),
            Fixture("gcm", #""status":200,"reason":"InvalidRegistration""#, "token_suspect", "suspect"),
            Fixture("gcm", #""status":200,"reason":"MismatchSenderId""#, "wrong_topic"),
            Fixture("gcm", #""status":200,"reason":"Unavailable""#, "provider_error"),
            Fixture(
                "mipush",
                #""status":200,"error":{"result":"error","reason":"No valid targets!","code":20301,"description":"发送消息失败"}"#,
                "token_suspect", "suspect"),
            Fixture(
                "mipush", #""status":200,"error":{"result":"error","code":21301,"description":"认证失败"}"#,
                "auth_error"),
            Fixture("mipush", #""status":200,"reason":"认证失败""#, "auth_error"),
            Fixture("mipush", #""status":20301"#, "token_suspect", "suspect"),
            Fixture(
                "mipush", #""status":200,"error":{"result":"error","code":66007}"#, "token_suspect", "suspect"
            ),
            Fixture(
                "onesignal",
                #""status":200,"error":{"id":"","recipients":0,"errors":["All included players are not subscribed"]}"#,
                "token_suspect", "suspect"),
            Fixture(
                "onesignal", #""status":200,"error":{"id":"","errors":{"invalid_player_ids":["TOKEN"]}}"#,
                "token_suspect", "suspect"),
            Fixture(
                "onesignal",
                #""status":200,"error":{"id":"b186912c-cf25-4688-8218-06cb13e09a4f","recipients":1,"errors":{"invalid_player_ids":["TOKEN"]}}"#,
                "token_suspect", "suspect"),
            Fixture(
                "hms", #""status":200,"error":{"code":"80300007","msg":"All the tokens are invalid"}"#,
                "token_dead", "retired"),
            Fixture(
                "hms",
                #""status":200,"error":{"code":"80100000","msg":"{\"success\":1,\"failure\":1,\"illegal_tokens\":[\"TOKEN\"]}"}"#,
                "token_dead", "retired"),
            // The app lacks the right to send this type of message: nothing is wrong with the token.
            Fixture(
                "hms",
                #""status":200,"error":{"code":"80100000","msg":"{\"success\":0,\"failure\":1,\"illegalTokens\":{\"noPushTypeRight\":[\"TOKEN\"]}}"}"#,
                "unknown"),
            Fixture("oppo", #""status":200,"error":{"code":11,"message":"Invalid AuthToken"}"#, "auth_error"),
            Fixture(
                "oppo", #""status":200,"error":{"code":-2,"message":"Service in Flow Control"}"#, "throttled"),
            Fixture(
                "vivo",
                #""status":200,"error":{"result":10302,"desc":"regId不合法","invalidUser":{"userid":"TOKEN","status":1}}"#,
                "token_suspect", "suspect"),
            Fixture("vivo", #""status":200,"error":{"result":10000,"desc":"权限认证失败"}"#, "auth_error"),
            Fixture(
                "honor", #""status":200,"error":{"code":80300007,"message":"All tokens are invalid"}"#,
                "token_suspect", "suspect"),
            Fixture(
                "honor", #""status":200,"error":{"code":400,"message":"parameter error"}"#, "request_error"),
            Fixture(
                "honor",
                #""status":200,"error":{"code":200,"message":"success","data":{"sendResult":false,"failTokens":["TOKEN"]}}"#,
                "provider_error"),
            Fixture(
                "honor",
                #""status":200,"error":{"code":200,"message":"success","data":{"sendResult":true,"failTokens":[],"expireTokens":["TOKEN"]}}"#,
                "token_dead", "retired"),
            Fixture(
                "expo",
                #""status":200,"error":{"status":"error","message":"not a registered push notification recipient","details":{"error":"DeviceNotRegistered"}}"#,
                "token_dead", "retired"),
            Fixture(
                "expo",
                #""status":"error","error":{"status":"error","message":"too big","details":{"error":"MessageTooBig","fault":"developer"}}"#,
                "payload_error"),
            Fixture("apns", #""status":200,"error":{"reason":"Unregistered"}"#, "token_dead", "retired"),
            Fixture(
                "apns",
                #""status":200,"error":{"sent":[],"failed":[{"device":"TOKEN","status":"400","response":{"reason":"PayloadTooLarge"}}]}"#,
                "payload_error"),
            Fixture(
                "fcm",
                #""status":200,"error":{"successCount":0,"failureCount":1,"responses":[{"success":false,"error":{"code":"messaging/registration-token-not-registered","message":"Requested entity was not found."}}]}"#,
                "token_dead", "retired"),
            Fixture("webpush", #""status":200,"reason":"dropped""#, "unknown"),
            Fixture("webpush", #""status":201,"reason":"channelthrottled""#, "throttled"),
            Fixture(
                "webpush", #""status":200,"error":{"headers":{"X-WNS-Status":"channelthrottled"},"body":""}"#,
                "throttled"),
            Fixture(
                "sns",
                #""status":200,"error":{"delivery":{"statusCode":410,"providerResponse":"{\"reason\":\"Unregistered\"}"},"status":"FAILURE"}"#,
                "token_dead", "retired"),
            // The body as the reason, and as Python prints it.
            Fixture(
                "fcm",
                #""status":200,"reason":"{\"success\":0,\"failure\":1,\"results\":[{\"error\":\"NotRegistered\"}]}""#,
                "token_dead", "retired"),
            Fixture(
                "fcm",
                #""status":200,"error":"{'success': 0, 'failure': 1, 'results': [{'error': 'NotRegistered', 'id': None}]}""#,
                "token_dead", "retired"),
            // oppo's results of a batch, and gorush.
            Fixture(
                "oppo",
                #""status":200,"error":{"code":0,"data":[{"messageId":"1","registrationId":"x"},{"registrationId":"TOKEN","errorCode":10000}]}"#,
                "token_suspect", "suspect"),
            Fixture(
                "apns",
                #""status":200,"error":{"success":"ok","counts":1,"logs":[{"type":"failed-push","token":"TOKEN","error":"BadDeviceToken"}]}"#,
                "token_suspect", "suspect"),
        ])
    }

    @Test("a body that only repeats the status, or names the message, is an acceptance")
    func acceptances() async throws {
        try await check([
            Fixture(
                "gcm",
                #""status":200,"error":{"multicast_id":108,"success":1,"failure":0,"canonical_ids":1,"results":[{"message_id":"1:08","registration_id":"32"}]}"#,
                "accepted"),
            Fixture(
                "fcm",
                #""status":200,"error":{"name":"projects/p/messages/0:1500415314455276%31bd1c9631bd1c96"}"#,
                "accepted"),
            Fixture(
                "fcm", #""status":200,"reason":"projects/p/messages/0:1500415314455276%31bd1c9631bd1c96""#,
                "accepted"),
            Fixture(
                "mipush",
                #""status":200,"error":{"result":"ok","code":0,"info":"Received push messages for 1 REGID","data":{"id":"sdm02b6"}}"#,
                "accepted"),
            Fixture(
                "onesignal",
                #""status":200,"error":{"id":"b186912c-cf25-4688-8218-06cb13e09a4f","recipients":1,"errors":{"invalid_player_ids":["player-1"]}}"#,
                "accepted"),
            Fixture(
                "onesignal",
                #""status":200,"error":{"id":"b186912c-cf25-4688-8218-06cb13e09a4f","recipients":1}"#,
                "accepted"),
            Fixture(
                "hms",
                #""status":200,"error":{"code":"80000000","msg":"Success","requestId":"157440955549500001002006"}"#,
                "accepted"),
            Fixture(
                "hms",
                #""status":200,"error":{"code":"80100000","msg":"{\"success\":1,\"failure\":1,\"illegal_tokens\":[\"other\"]}"}"#,
                "accepted"),
            Fixture(
                "oppo", #""status":200,"error":{"code":0,"message":"Success","data":{"messageId":"5f2b"}}"#,
                "accepted"),
            Fixture("vivo", #""status":200,"error":{"result":0,"desc":"请求成功","taskId":"509"}"#, "accepted"),
            Fixture(
                "honor",
                #""status":200,"error":{"code":200,"message":"success","data":{"sendResult":true,"requestId":"1"}}"#,
                "accepted"),
            Fixture(
                "expo", #""status":"ok","error":{"status":"ok","id":"XXXXXXXX-XXXX-XXXX-XXXX-XXXXXXXXXXXX"}"#,
                "accepted"),
            Fixture("expo", #""status":200,"error":{"data":[{"status":"ok","id":"0"}]}"#, "accepted"),
            Fixture("apns", #""status":200,"reason":"OK""#, "accepted"),
            Fixture(
                "apns",
                #""status":200,"error":{"sent":[{"device":"TOKEN"}],"failed":[{"device":"ab","status":"410","response":{"reason":"Unregistered"}}]}"#,
                "accepted"),
            Fixture("webpush", #""status":201,"reason":"Created""#, "accepted"),
            Fixture("webpush", #""status":200,"reason":"received""#, "accepted"),
            Fixture("webpush", #""status":201,"error":"""#, "accepted"),
            Fixture(
                "sns", #""status":200,"error":{"MessageId":"567910cd-659e-55d4-8ccb-5aaf14679dc0"}"#,
                "accepted"),
            Fixture("inapp", #""status":200,"reason":"success""#, "accepted"),
            // A status line, or the status once more.
            Fixture("apns", #""status":200,"reason":"HTTP/2 200""#, "accepted"),
            Fixture("fcm", #""status":200,"reason":"HTTP/1.1 200 OK""#, "accepted"),
            Fixture("fcm", #""status":"200 OK","error":"<Response [200]>""#, "accepted"),
            Fixture("webpush", #""status":201,"reason":"b''""#, "accepted"),
            Fixture("webpush", #""error":{"statusCode":201,"body":"","headers":{}}"#, "accepted"),
            Fixture(
                "apns",
                #""status":200,"error":{"StatusCode":200,"Reason":"","ApnsID":"BC30","Timestamp":"0001-01-01T00:00:00Z"}"#,
                "accepted"),
            Fixture(
                "apns", #""status":200,"error":{"sent":[{"device":"TOKEN"}],"failed":[]}"#, "accepted"),
            Fixture("apns", #""status":200,"error":{"success":"ok","counts":1,"logs":[]}"#, "accepted"),
            Fixture(
                "fcm",
                #""status":200,"error":"{'success': 1, 'failure': 0, 'results': [{'message_id': '0:15%31bd'}]}""#,
                "accepted"),
            Fixture(
                "onesignal",
                #""status":200,"error":{"id":"b186912c-cf25-4688-8218-06cb13e09a4f","warnings":["You must configure iOS"]}"#,
                "accepted"),
        ])
    }

    @Test("other words and bodies of a 2xx are unknown, with a warning, and never an acceptance")
    func unknown() async throws {
        try await check(
            [
                Fixture("apns", #""status":200,"reason":"Teapot""#, "unknown"),
                Fixture(
                    "mipush", #""status":200,"error":{"result":"error","code":99999,"description":"?"}"#,
                    "unknown"),
                Fixture("fcm", #""status":200,"error":{"foo":"bar"}"#, "unknown"),
                Fixture("onesignal", #""status":200,"error":{"id":"","recipients":0}"#, "unknown"),
                Fixture(
                    "fcm", #""status":200,"error":{"messageId":null,"successful":false,"exception":null}"#,
                    "unknown"),
                // A word of a sentence that does not fit the status.
                Fixture("apns", #""status":403,"error":"Unregistered key id ABC""#, "auth_error"),
                Fixture("customerio", #""status":204,"error":{"error":"something new"}"#, "unknown"),
                Fixture(
                    "gcm",
                    #""status":200,"error":{"success":1,"failure":1,"results":[{"message_id":"1"},{"error":"NotRegistered"}]}"#,
                    "unknown"),
            ], warned: true)
    }

    @Test("a word means the same from every library and under every status")
    func libraries() async throws {
        let notToken = "The registration token is not a valid FCM registration token"
        try await check([
            // firebase-admin for Node, Go, .NET, Java and Python.
            Fixture(
                "fcm",
                #""status":400,"error":{"errorInfo":{"code":"messaging/invalid-argument","message":"\#(notToken)"}}"#,
                "token_suspect", "suspect"),
            Fixture(
                "fcm",
                #""status":400,"error":{"code":"messaging/invalid-argument","message":"\#(notToken)"}"#,
                "token_suspect", "suspect"),
            Fixture(
                "fcm",
                #""status":400,"error":{"code":"messaging/invalid-argument","message":"Invalid value at 'message.data[1].value' (TYPE_STRING), 21465"}"#,
                "request_error"),
            Fixture("fcm", #""status":404,"reason":"Unregistered""#, "token_dead", "retired"),
            Fixture("fcm", #""status":403,"reason":"SenderIdMismatch""#, "wrong_topic"),
            Fixture("fcm", #""status":429,"reason":"QuotaExceeded""#, "throttled"),
            Fixture("fcm", #""status":401,"reason":"ThirdPartyAuthError""#, "auth_error"),
            Fixture(
                "fcm",
                #""status":404,"error":"http error status: 404; reason: app instance has been unregistered; code: registration-token-not-registered; details: Requested entity was not found.""#,
                "token_dead", "retired"),
            Fixture(
                "fcm",
                #""status":404,"error":{"ErrorCode":"NOT_FOUND","String":"Requested entity was not found.","Ext":{"messagingErrorCode":"UNREGISTERED"}}"#,
                "token_dead", "retired"),
            Fixture("fcm", #""status":500,"reason":"unregistered""#, "token_dead", "retired"),
            // The same error in the words of version 4 of the library, as gorush logs it.
            Fixture(
                "fcm", #""status":0,"reason":"Requested entity was not found.""#, "token_suspect", "suspect"),
            Fixture(
                "fcm",
                #""status":404,"error":{"error":{"code":404,"message":"Requested entity was not found.","status":"NOT_FOUND"}}"#,
                "request_error"),
            Fixture(
                "fcm", #""status":404,"reason":"firebase_admin.messaging.UnregisteredError""#, "token_dead",
                "retired"),
            Fixture(
                "fcm",
                #""status":404,"error":{"MessagingErrorCode":"UNREGISTERED","Message":"Requested entity was not found."}"#,
                "token_dead", "retired"),
            // APNs, by libraries that spell fields their own way.
            Fixture(
                "apns", #""status":410,"error":{"StatusCode":410,"Reason":"Unregistered","ApnsID":"x"}"#,
                "token_dead", "retired"),
            Fixture(
                "apns", #""status":400,"error":{"accepted":false,"rejectionReason":"BadDeviceToken"}"#,
                "token_suspect", "suspect"),
            Fixture(
                "apns",
                #""status":400,"error":{"notification_id":"1","status":"400","description":"BadDeviceToken"}"#,
                "token_suspect", "suspect"),
            Fixture("apns", #""status":400,"reason":"bad_device_token""#, "token_suspect", "suspect"),
            Fixture(
                "apns", #""status":400,"reason":"<class 'apns2.errors.BadDeviceToken'>""#, "token_suspect",
                "suspect"),
            Fixture(
                "apns", #""error":{"error_code":400,"error_description":"BadDeviceToken"}"#, "token_suspect",
                "suspect"),
            Fixture(
                "apns", #""status":400,"error":{"errorReason":"BadDeviceToken"}"#, "token_suspect", "suspect"),
            Fixture(
                "sns",
                #""status":400,"error":{"name":"InvalidParameterException","message":"Invalid parameter: TargetArn"}"#,
                "request_error"),
            Fixture(
                "sns",
                #""status":400,"error":"<ErrorResponse><Error><Type>Sender</Type><Code>EndpointDisabled</Code></Error></ErrorResponse>""#,
                "token_dead", "retired"),
            // Apple's Web Push.
            Fixture("webpush_apple", #""status":400,"error":{"reason":"VapidPkHashMismatch"}"#, "auth_error"),
            Fixture("webpush_apple", #""status":403,"error":{"reason":"VapidPkHashMismatch"}"#, "auth_error"),
            Fixture("webpush_apple", #""status":403"#, "auth_error"),
            Fixture("webpush_apple", #""status":413"#, "payload_error"),
            Fixture("webpush_apple", #""status":410"#, "token_dead", "retired"),
            Fixture(
                "webpush_apple", #""status":400,"error":"Push failed: 400, {reason: VapidPkHashMismatch}""#,
                "auth_error"),
            // No response.
            Fixture("apns", #""status":0,"reason":"ECONNRESET""#, "provider_error"),
            Fixture("fcm", #""status":0,"error":"deadline exceeded""#, "provider_error"),
            Fixture("onesignal", #""status":0,"reason":"timeout""#, "provider_error"),
            Fixture("apns", #""status":0"#, "unknown"),
        ])
    }

    @Test("an HTTP client's error counts as the provider's words inside it")
    func wrappers() async throws {
        let gone =
            #"{\"error\":{\"code\":404,\"message\":\"Requested entity was not found.\",\"status\":\"NOT_FOUND\",\"details\":[{\"@type\":\"type.googleapis.com/google.firebase.fcm.v1.FcmError\",\"errorCode\":\"UNREGISTERED\"}]}}"#
        try await check([
            // web-push for Node.
            Fixture(
                "webpush",
                #""error":{"name":"WebPushError","message":"Received unexpected response code","statusCode":410,"headers":{"content-length":"46"},"body":"push subscription has unsubscribed or expired.\n","endpoint":"TOKEN"}"#,
                "token_dead", "retired"),
            // axios, got, superagent, fetch, requests.
            Fixture(
                "fcm",
                #""status":404,"error":{"message":"Request failed with status code 404","name":"AxiosError","code":"ERR_BAD_REQUEST","status":404,"config":{"url":"x","data":"{\"reason\":\"QUOTA_EXCEEDED\"}"},"response":{"status":404,"data":"\#(gone)"}}"#,
                "token_dead", "retired"),
            Fixture(
                "fcm",
                #""error":{"name":"HTTPError","code":"ERR_NON_2XX_3XX_RESPONSE","message":"Response code 404 (Not Found)","response":{"statusCode":404,"body":"\#(gone)"}}"#,
                "token_dead", "retired"),
            Fixture(
                "apns",
                #""error":{"status":400,"response":{"status":400,"text":"{\"reason\":\"BadDeviceToken\"}"}}"#,
                "token_suspect", "suspect"),
            Fixture(
                "hms",
                #""status":200,"error":{"name":"AxiosError","response":{"status":200,"data":{"code":"80300007","msg":"x"}}}"#,
                "token_dead", "retired"),
            Fixture(
                "webpush",
                #""error":"Push failed: 410 Gone\nResponse body:push subscription has unsubscribed or expired.\n""#,
                "token_dead", "retired"),
            Fixture("webpush", #""error":"410 Client Error: Gone for url: TOKEN""#, "token_dead", "retired"),
            // Guzzle, httpx, requests, Ruby, OkHttp, and a status line.
            Fixture(
                "webpush",
                #""error":"Client error: `POST TOKEN` resulted in a `410 Gone` response:\nexpired""#,
                "token_dead", "retired"),
            Fixture(
                "webpush", #""error":"Client error '410 Gone' for url 'TOKEN'""#, "token_dead", "retired"),
            Fixture("webpush", #""error":"Push failed: <Response [410]>: expired""#, "token_dead", "retired"),
            Fixture(
                "webpush", #""error":"host: x, #<Net::HTTPGone 410 Gone readbody=true>""#, "token_dead",
                "retired"),
            Fixture(
                "webpush", #""error":"Response{protocol=h2, code=410, message=, url=TOKEN}""#, "token_dead",
                "retired"),
            Fixture("webpush", #""reason":"HTTP/1.1 410 Gone""#, "token_dead", "retired"),
            Fixture("webpush", #""status":"410 Gone""#, "token_dead", "retired"),
        ])
    }

    @Test(
        "what a body says about another token does not harm the posted one, which may be named in part or in another spelling"
    )
    func otherTokens() async throws {
        let hex = String(repeating: "0f1e2d3c", count: 8)
        let gone = #""status":"410","response":{"reason":"Unregistered"}"#
        try await check([
            Fixture("apns", #""status":200,"error":{"device":"\#(hex)",\#(gone)}"#, "accepted"),
            Fixture(
                "apns",
                #""status":200,"error":{"success":"ok","logs":[{"token":"\#(hex)","error":"Unregistered"}]}"#,
                "accepted"),
            Fixture(
                "webpush",
                #""status":201,"error":{"statusCode":410,"endpoint":"https://fcm.googleapis.com/fcm/send/\#(hex)"}"#,
                "accepted"),
            Fixture("apns", #""status":200,"error":{"device":"****",\#(gone)}"#, "token_dead", "retired"),
            Fixture("apns", #""status":200,"error":{"device":"<TOKEN>",\#(gone)}"#, "token_dead", "retired"),
            Fixture(
                "expo",
                #""status":200,"error":{"token":"eyJhbGciOiJIUzI1NiJ9.e30.c2ln","details":{"error":"DeviceNotRegistered"}}"#,
                "token_dead", "retired"),
        ])
    }

    @Test("results of several pushes that disagree say nothing about the posted token")
    func disagreeingResults() async throws {
        try await check(
            [
                Fixture(
                    "fcm",
                    #""status":200,"error":{"failure":2,"results":[{"error":"Unavailable"},{"error":"NotRegistered"}]}"#,
                    "unknown"),
                Fixture(
                    "expo",
                    #""status":200,"error":{"data":{"1":{"status":"ok"},"2":{"details":{"error":"DeviceNotRegistered"}}}}"#,
                    "unknown"),
            ], warned: true)
    }

    @Test("a page of a proxy is one reason for each status, without markup, and harms no token")
    func pages() async throws {
        let page = #"<!DOCTYPE html><html lang=en><title>Error 404 (Not Found)!!1</title>"#
        let apart = #"<!DOCTYPE html>\n<html lang=en>\n<title>Error 404 (Not Found)!!1</title>"#
        let badGateway = "<html><head><title>502 Bad Gateway</title></head></html>"
        try await check([
            Fixture("fcm", #""status":404,"error":"\#(page)""#, "request_error"),
            Fixture("fcm", #""status":404,"reason":"\#(apart)""#, "request_error"),
            Fixture("fcm", #""status":502,"error":"\#(badGateway)""#, "provider_error"),
            Fixture(
                "apns", #""status":403,"error":{"response":{"status":403,"data":"\#(badGateway)"}}"#,
                "request_error"),
            Fixture("hms", #""status":200,"error":"\#(badGateway)""#, "unknown"),
            Fixture("expo", #""status":502,"error":"b'\#(badGateway)'""#, "provider_error"),
            Fixture("expo", #""status":502,"error":"\u001f\ufffd\b\u0000""#, "provider_error"),
            Fixture("expo", #""status":503,"error":"Push failed: \#(badGateway)""#, "provider_error"),
        ])
        let reasons = try await TestDatabase.current.query(
            "SELECT provider || ' ' || status || ' ' || reason FROM landfall.provider_response WHERE reason <> '' ORDER BY 1"
        ) { try $0.get(0, as: String.self) }
        #expect(
            reasons == [
                "apns 403 non-JSON body", "expo 502 non-JSON body", "expo 503 Push failed:",
                "fcm 404 non-JSON body", "fcm 502 non-JSON body",
                "hms 200 non-JSON body",
            ])
    }

    @Test("every provider that a sender can name has rows and a default")
    func providers() async throws {
        let listed = try await TestDatabase.current.query(
            "SELECT provider FROM landfall.provider_reason WHERE status = '*' AND reason = '*' ORDER BY provider"
        ) { try $0.get(0, as: String.self) }
        #expect(listed == Provider.known.sorted())
    }

    @Test(
        "a vendor's receipt is its number; a push to a channel is a broadcast; the host of an endpoint decides whose words they are"
    )
    func context() async throws {
        try await TestServer.run { server async throws in
            for (status, outcomeClass) in [
                (0, "accepted"), (2, "token_dead"), (5, "token_suspect"), (10, "token_suspect"),
                (27, "accepted"),
                (102, "throttled"), (201, "throttled"), (77, "unknown"),
            ] {
                let recorded = try await PostedResponse(
                    server, "huawei_receipt", token: "IQ\(status)\(UUID())"
                )
                .post(#""status":\#(status)"#)
                #expect(recorded.outcomeClass == outcomeClass, "\(status): \(recorded)")
            }
            let broadcast = try await server.post(
                #"{"type":"response","notification_id":"\#(notificationID(1))","provider":"apns","channel":"dHN0LXNyY2gtY2hubA==","#
                    + #""push_type":"liveactivity","status":403,"error":{"reason":"TopicMismatch"}}"#)
            #expect(broadcast.counts == [1, 0, 0])
            let classes = try await TestDatabase.current.query(
                "SELECT outcome_class FROM landfall.provider_response WHERE provider = 'apns_broadcast'"
            ) { try $0.get(0, as: String.self) }
            #expect(classes == ["wrong_topic"])
            let apple = PostedResponse(
                server, "webpush", token: PostedResponse.newToken("webpush_apple"))
            for status in [400, 403] {
                let recorded = try await apple.post(
                    #""status":\#(status),"error":{"reason":"VapidPkHashMismatch"}"#)
                #expect(recorded.outcomeClass == "auth_error" && recorded.provider == "webpush_apple")
            }
            let long = PostedResponse(
                server, "webpush",
                token: "https://wns2-db5p.notify.windows.com/w/?token=" + String(repeating: "Ab1", count: 660)
            )
            #expect(try await long.post(#""status":201"#).outcomeClass == "accepted")
        }
    }

    @Test("the status may be missing if the word is listed under one")
    func status() async throws {
        try await check([
            Fixture("apns", #""reason":"Unregistered""#, "token_dead", "retired"),
            Fixture("apns", #""error":{"reason":"BadDeviceToken"}"#, "token_suspect", "suspect"),
            Fixture("fcm", #""reason":"UNREGISTERED""#, "token_dead", "retired"),
        ])
        try await TestServer.run(app: "other") { server async throws in
            let posted = PostedResponse(server, "apns")
            for fields in [
                #""reason":"Teapot""#, #""reason":"TooManyRequests","status":"""#, #""campaign":"x""#,
            ] {
                #expect(try await server.post(posted.item(fields)).code == "invalid_status", "\(fields)")
            }
        }
    }
}
