-- Removal of data whose time is over: days of notifications, then rows about them, then sketches.

-- The partitions of delivery, each with the start of its UTC day.
-- part: delivery_days
SELECT to_date(substr(child.relname, 10, 8), 'YYYYMMDD')::timestamp AT TIME ZONE 'UTC' AS day, child.oid, child.relname,
       child.relowner
  FROM pg_inherits
  JOIN pg_class AS child ON child.oid = pg_inherits.inhrelid
 WHERE pg_inherits.inhparent = 'landfall.delivery'::regclass AND child.relname ~ '^delivery_\d{8}'

-- name: list_partitions
-- Which days have a partition of delivery? The start of each UTC day, the oldest first.
SELECT day FROM ({{delivery_days}}) AS known ORDER BY day;

-- name: occupied_days
-- Which UTC days have notifications that are still here? The start of each day, the oldest first.
--
-- LIMIT keeps the planner from reading all notifications: one row per partition is enough.
SELECT known.day
  FROM ({{delivery_days}}) AS known
 CROSS JOIN LATERAL (SELECT 1
                       FROM landfall.delivery
                      WHERE sent_at >= known.day AND sent_at < known.day + interval '24 hours'
                      LIMIT 1) AS occupant
 ORDER BY known.day;

-- name: drop_partition
-- Drops the partition of one UTC day and records that in landfall.retention. $1 an instant of the day
SELECT landfall.drop_delivery_partition(($1::timestamptz AT TIME ZONE 'UTC')::date) IS NULL AS was_dropped;

-- name: close_partition
-- Closes one UTC day: its rows no longer change, as if it had been dropped. $1 an instant of the day
SELECT landfall.close_delivery_partition(($1::timestamptz AT TIME ZONE 'UTC')::date) IS NULL AS was_closed;

-- name: remove_notification_dates
-- Deletes one batch of notification dates. One row: how many.
-- $1 sent before this instant, $2 limit. Rows that a writer has locked are left for the next run.
WITH old AS (
    SELECT notification_id, app_id FROM landfall.notification_date
     WHERE sent_at < $1 ORDER BY sent_at LIMIT $2 FOR UPDATE SKIP LOCKED
), removed AS (
    DELETE FROM landfall.notification_date AS known USING old
     WHERE known.notification_id = old.notification_id AND known.app_id = old.app_id
    RETURNING 1
)
SELECT count(*) AS row_count FROM removed;

-- name: remove_message_recipients
-- Deletes one batch of recipients of messages. One row: how many.
-- $1 sent before this instant, $2 limit. Rows that a writer has locked are left for the next run.
WITH old AS (
    SELECT message_id, token_id, app_id FROM landfall.message_recipient
     WHERE sent_at < $1 ORDER BY sent_at LIMIT $2 FOR UPDATE SKIP LOCKED
), removed AS (
    DELETE FROM landfall.message_recipient AS known USING old
     WHERE known.message_id = old.message_id AND known.token_id = old.token_id AND known.app_id = old.app_id
    RETURNING 1
)
SELECT count(*) AS row_count FROM removed;

-- name: remove_device_troubles
-- Deletes one batch of the trouble that devices reported. One row: how many rows were deleted.
-- $1 received before this instant, $2 limit. Rows that another session has locked are left for the next run.
WITH old AS (
    SELECT app_id, quarter, trouble, reporter_id FROM landfall.device_trouble
     WHERE quarter < $1 LIMIT $2 FOR UPDATE SKIP LOCKED
), removed AS (
    DELETE FROM landfall.device_trouble AS known USING old
     WHERE known.app_id = old.app_id AND known.quarter = old.quarter AND known.trouble = old.trouble
       AND known.reporter_id = old.reporter_id
    RETURNING 1
)
SELECT count(*) AS row_count FROM removed;

-- name: remove_sketches
-- Deletes one batch of sketches. One row: how many.
-- $1 of spans that began before this instant, $2 limit.
WITH old AS (
    SELECT sketch.app_id, sketch.quarters, sketch.starts_at, sketch.campaign_id
      FROM landfall.app
     CROSS JOIN (VALUES (1), (4), (16), (96)) AS level (quarters)
      JOIN landfall.reach_sketch AS sketch ON sketch.app_id = app.app_id AND sketch.quarters = level.quarters
     WHERE sketch.starts_at < $1 LIMIT $2
), removed AS (
    DELETE FROM landfall.reach_sketch AS known USING old
     WHERE known.app_id = old.app_id AND known.quarters = old.quarters AND known.starts_at = old.starts_at
       AND known.campaign_id = old.campaign_id
    RETURNING 1
)
SELECT count(*) AS row_count FROM removed;
