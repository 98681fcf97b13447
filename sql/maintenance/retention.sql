-- Retention: the number of days for which notifications are kept, and the room that they take.

-- part: kept_months
SELECT to_char(to_date(substr(child.relname, 10, 8), 'YYYYMMDD'), 'YYYY-MM') AS month,
       count(*)                                                           AS days,
       sum($1(child.oid))::bigint AS bytes
  FROM pg_inherits
  JOIN pg_class AS child ON child.oid = pg_inherits.inhrelid
 WHERE pg_inherits.inhparent = 'landfall.delivery'::regclass AND child.relname ~ '^delivery_\d{8}'
 GROUP BY month
 ORDER BY month DESC;

-- name: read_retention
-- For how many days do the servers of this database keep notifications? No row until a server has stored it.
SELECT convert_from(value, 'UTF8')::bigint AS days FROM landfall.setting WHERE name = 'retention_days';

-- name: store_retention
-- Stores for how long the servers of this database keep notifications. $1 days
INSERT INTO landfall.setting (name, value) VALUES ('retention_days', convert_to($1::bigint::text, 'UTF8'))
ON CONFLICT (name) DO UPDATE SET value = excluded.value;

-- name: lengthen_retention
-- Stores for how long a server keeps notifications, if that is longer than the stored value. One row: the
-- value now. More digits are more days: convert_from is not IMMUTABLE, so Citus accepts it neither in DO
-- UPDATE nor in RETURNING.
-- $1 days
WITH kept AS (
    INSERT INTO landfall.setting AS known (name, value) VALUES ('retention_days', convert_to($1::bigint::text, 'UTF8'))
    ON CONFLICT (name) DO UPDATE
    SET value = CASE WHEN (octet_length(excluded.value), excluded.value) > (octet_length(known.value), known.value)
                     THEN excluded.value ELSE known.value END
    RETURNING known.value
)
SELECT convert_from(value, 'UTF8')::bigint AS days FROM kept;

-- name: count_notifications
-- How many notifications were sent before an instant? $1 the instant
SELECT count(*) AS notifications FROM landfall.delivery WHERE sent_at < $1;

-- name: kept_months
-- How much room do the notifications of each month take, the latest month first?
{{kept_months(pg_total_relation_size)}}

-- name: growth
-- How much room do the notifications of the last days take, and how many are they? The oldest day that is
-- kept, whether a day is packed, and the retention in days (null: not stored yet). One row.
-- $1 from (inclusive) and $2 to (exclusive), both UTC days
SELECT coalesce(sum(bytes) FILTER (WHERE day >= $1 AND day < $2), 0)::bigint AS bytes, min(day) AS oldest_day,
       coalesce(bool_or(is_packed), false) AS packs_days,
       (SELECT coalesce(sum(notifications), 0)::bigint FROM landfall.counter
         WHERE grain = 'headline_day' AND starts_at >= $1 AND starts_at < $2) AS notifications,
       (SELECT convert_from(value, 'UTF8')::bigint FROM landfall.setting WHERE name = 'retention_days') AS retention_days
  FROM (SELECT day, pg_total_relation_size(oid) AS bytes, relname ~ '_packed$' AS is_packed
          FROM ({{delivery_days}}) AS child) AS kept;

-- name: database_size
-- How much room does the whole database take, in bytes?
SELECT pg_database_size(current_database()) AS bytes;
