-- The search for the notification, device or token that an id or a fingerprint names.

-- name: apps_of_notification
-- Which of these apps know a notification?
--
-- Parameters: $1 app[], $2 notification_id, $3 earliest and $4 latest instant at which it can have been sent.
-- Grain: one row per app.

SELECT DISTINCT app_id
  FROM landfall.delivery
 WHERE notification_id = $2 AND app_id = ANY ($1::bigint[]) AND state <> 0 AND sent_at BETWEEN $3 AND $4;

-- name: pointers
-- When was a notification sent, if its sender states another time than its id?
--
-- Parameters: $1 notification_id, $2 the time inside the id.
-- Grain: one row per app whose row is elsewhere.

SELECT sent_at + sent_after_ms * interval '1 ms' AS sent_at
  FROM landfall.delivery
 WHERE notification_id = $1 AND sent_at = $2 AND state = 0;

-- name: apps_of_device
-- Which of these apps know a device?
--
-- Parameters: $1 app[], $2 device_id.
-- Grain: one row per app.

SELECT app_id
  FROM landfall.installation
 WHERE app_id = ANY ($1::bigint[]) AND device_id = $2;

-- name: find_tokens
-- Which tokens have a fingerprint in this range? The range of a prefix is from its zeros to its ones.
--
-- Parameters: $1 app[], $2 first and $3 last fingerprint, both inclusive; $4 limit.
-- Grain: one row per token, in order of fingerprint.

SELECT app_id, token_id
  FROM landfall.token
 WHERE fingerprint BETWEEN $2 AND $3 AND app_id = ANY ($1::bigint[])
 ORDER BY fingerprint, app_id, provider, environment, topic
 LIMIT $4;

-- name: find_token_by_id
-- Which of these apps does a token belong to?
--
-- Parameters: $1 app[], $2 token_id.
-- Grain: at most one row.

SELECT app_id, token_id
  FROM landfall.token
 WHERE token_id = $2 AND app_id = ANY ($1::bigint[]);
