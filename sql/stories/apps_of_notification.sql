-- Which of these apps know a notification?
--
-- Parameters: $1 app[], $2 notification_id, $3 earliest and $4 latest instant at which it can have been sent.
-- Grain: one row per app.

SELECT DISTINCT app_id
  FROM landfall.delivery
 WHERE notification_id = $2
   AND app_id = ANY ($1::bigint[])
   AND state <> 0
   AND sent_at BETWEEN $3 AND $4;
