-- When was a notification sent, if its sender states another time than its id?
--
-- Parameters: $1 notification_id, $2 the time inside the id.
-- Grain: one row per app whose row is elsewhere.

SELECT sent_at + sent_after_ms * interval '1 ms' AS sent_at
  FROM landfall.delivery
 WHERE notification_id = $1
   AND sent_at = $2
   AND state = 0;
