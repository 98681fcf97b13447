extension ConnectableSender {
    /// Wrapped by the package in clients/python.
    static let pythonSenders = [
        python(
            "aioapns", "aioapns", extra: "aioapns", "client = landfall.aioapns.recorded(client, recorder)"),
        python(
            "firebase-admin", "firebase-admin", extra: "firebase-admin",
            "landfall.firebase_admin.recorded(messaging, recorder)"),
        python(
            "pywebpush", "pywebpush", extra: "pywebpush",
            "webpush = landfall.pywebpush.recorded(webpush, recorder)"),
        python("pyfcm", "pyfcm", extra: "pyfcm", "fcm = landfall.pyfcm.recorded(fcm, recorder)"),
        python(
            "expo-python", "exponent-server-sdk", extra: "expo",
            "client = landfall.exponent_server_sdk.recorded(PushClient(), recorder)"),
        ConnectableSender(
            "django", "django-push-notifications (Python)", .library,
            """
            INSTALLED_APPS += ["landfall.django"]
            LANDFALL = {"url": "{url}", "key": "{key}", "spool": "/var/spool/shop/landfall"}
            """),
    ]

    /// - Parameter extra: the package's extra, which installs the library in a version that was tried.
    private static func python(
        _ name: String, _ library: String, extra: String, _ line: String
    ) -> ConnectableSender {
        ConnectableSender(
            name, "\(library) (Python)", .library,
            """
            # In a clone of Landfall: pip install "./clients/python[\(extra)]"
            import landfall
            recorder = landfall.LandfallRecorder("{url}", "{key}", spool="landfall-spool")
            \(line)
            """)
    }

    /// Wrapped by clients/node/landfall.mjs.
    static let nodeSenders = [
        node("node-apn", "node-apn", "const provider = recordedApn(new apn.Provider(options), recorder);"),
        node("web-push", "web-push", "const push = recordedWebPush(webpush, recorder);"),
        node(
            "firebase-admin-node", "firebase-admin", loss: "Messages to topics and conditions.",
            "const messaging = recordedMessaging(getMessaging(), recorder);"),
    ]

    private static func node(
        _ name: String, _ library: String, loss: String? = nil, _ line: String
    ) -> ConnectableSender {
        ConnectableSender(
            name, "\(library) (Node.js)", .library, loss: loss,
            """
            const recorder = new LandfallRecorder({
              url: "{url}", key: "{key}", spool: "/var/spool/shop/landfall-node"
            });
            \(line)
            """)
    }

    static let otherLibraries = [
        ConnectableSender(
            "apnswift", "APNSwift (Swift)", .copy,
            loss: "Whether message types of your own have mutable-content.",
            """
            let landfall = ResponseRecorder(url: URL(string: "{url}")!, key: "{key}", folder: folder)
            let recording = RecordingClient(client, landfall, environment: "production")
            """),
        ConnectableSender(
            "pushy", "pushy (Java)", .copy,
            loss: "Pushes that APNs did not acknowledge: pushy reports them without their token.",
            """
            var landfall = new LandfallListener(URI.create("{url}"), "{key}", "production");
            var client = new ApnsClientBuilder().setMetricsListener(landfall)   // and the rest, as before
            """),
        ConnectableSender(
            "apns2", "apns2 (Go)", .copy,
            loss: "The milliseconds of APNs' timestamp: apns2 keeps seconds.",
            """
            landfall := NewLandfall("{url}", "{key}", "production")
            response, err := landfall.Push(client, notification)
            """),
        ConnectableSender(
            "rpush", "rpush (Ruby)", .copy,
            loss: "The timestamp of a 410, which rpush drops, and the attempts that it repeats by itself.",
            """
            # config/initializers/rpush.rb
            Landfall = LandfallReflection.new("{url}", "{key}", environment: "production")
            Rpush.reflect { |on| Landfall.observe(on) }
            """),
        ConnectableSender(
            "curl", "curl, or any language with HTTP", .copy,
            """
            curl -sS {url}/v1/events -H "Authorization: Bearer {key}" -d '{
              "type": "response", "notification_id": "…", "sent_at": 1795424400000, "provider": "apns",
              "status": 410, "error": {"reason": "Unregistered", "timestamp": 1795424390000}, "token": "…"}'
            """),
    ]
}
