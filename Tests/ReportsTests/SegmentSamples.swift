import PostgresClient
import TestDatabase

extension TestDatabase {
    /// Adds segments of `shop`: 1 and 5 are ios 7.2.0 on 18.5 in German and English; 2 is 1 with alerts
    /// denied; 3 is ios 6.9.2 on 17.7, with strays only; 4 is android 5.0 on 15; 6 is 1 without a decided
    /// permission.
    func addSegments() async throws {
        try await execute(
            """
            INSERT INTO landfall.segment (
                app_id, provider, environment, topic, push_type, priority, platform, app_version, os_version, language, permission
            ) VALUES
                (1, 'apns', 'production', 'shop', 'alert', '10', 'ios', '7.2.0', '18.5', 'de', 'authorized'),
                (1, 'apns', 'production', 'shop', 'alert', '10', 'ios', '7.2.0', '18.5', 'de', 'denied'),
                (1, 'apns', 'sandbox', 'shop', 'alert', '5', 'ios', '6.9.2', '17.7', 'de', 'authorized'),
                (1, 'fcm', 'production', '', 'alert', '', 'android', '5.0', '15', 'en', 'authorized'),
                (1, 'apns', 'production', 'shop', 'alert', '10', 'ios', '7.2.0', '18.5', 'en', 'authorized'),
                (1, 'apns', 'production', 'shop', 'alert', '10', 'ios', '7.2.0', '18.5', 'de', 'not_determined')
            """)
        try await execute(
            """
            INSERT INTO landfall.version_rollup (
                app_id, day, platform, app_version, shard, reportable, arrived_named, arrived_unnamed
            ) VALUES (1, '2026-02-01Z', 'ios', '7.2.0', -1, 1000, 700, 0), (1, '2026-02-01Z', 'android', '5.0', -1, 1000, 700, 0),
                     (1, '2026-02-01Z', 'ios', '6.9.2', -1, 1000, 3, 0), (2, '2026-02-01Z', 'ios', '6.9.2', -1, 1000, 700, 0)
            """)
    }

    /// Adds this many equal notifications, all at once.
    func add(_ count: Int, _ notification: SentNotification) async throws {
        try await add(Array(repeating: notification, count: count))
    }
}
