-- Which arrivals and clicks of an app are recorded, under the names that phones know them by, and when did
-- they happen?
--
-- Parameters: $1 app. Grain: one row per notification and kind: `arrival <notification>`, or `arrival
-- <message> <device>`.
--
-- Bits of state: 8 arrived, 32 clicked.
WITH named AS (
    SELECT delivery.state,
           delivery.sent_at + delivery.arrived_after_ms * interval '1 millisecond' AS arrived_at,
           delivery.sent_at + delivery.clicked_after_ms * interval '1 millisecond' AS clicked_at,
           CASE WHEN recipient.message_id IS NULL THEN delivery.notification_id::text
                ELSE recipient.message_id || ' ' || installation.device_id END AS name
      FROM landfall.delivery
      LEFT JOIN landfall.message_recipient AS recipient
             ON recipient.notification_id = delivery.notification_id AND recipient.app_id = delivery.app_id
      LEFT JOIN landfall.installation
             ON installation.installation_id = delivery.installation_id
     WHERE delivery.app_id = $1
)
SELECT 'arrival ' || name AS name, arrived_at AS at FROM named WHERE state & 8 <> 0
UNION ALL
SELECT 'click ' || name, clicked_at FROM named WHERE state & 32 <> 0;
