-- Where are the rows of a notification that its sender says was not sent when its id was made?
--
-- Parameters: $1 notification_id, $2 the time inside the id.
-- Grain: one row per app whose row is elsewhere: when it was sent.

SELECT sent_at + sent_after_ms * interval '1 ms' AS sent_at
  FROM landfall.delivery
 WHERE notification_id = $1
   AND sent_at = $2
   AND state = 0;
