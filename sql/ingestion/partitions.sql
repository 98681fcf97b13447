-- Daily partitions of notifications: dropped, existing and created.

-- name: kept_from
-- Before which instant were notifications dropped? No row if none were ever dropped.
SELECT kept_from FROM landfall.retention;

-- name: existing_days
-- Which of these days have a partition, and are not closed? $1 starts of UTC days[]
SELECT day
FROM unnest($1::timestamptz[]) AS asked (day)
WHERE landfall.delivery_partition((day AT TIME ZONE 'UTC')::date) IS NOT NULL
  AND day >= coalesce((SELECT kept_from FROM landfall.retention), '-infinity');

-- name: ensure_partition
-- Creates the daily partition (UTC) for an instant unless it exists. One row: false if the day was dropped.
-- $1 instant
SELECT landfall.ensure_delivery_partition(($1::timestamptz AT TIME ZONE 'UTC')::date) AS is_there;
