-- Creates the daily partition (UTC) for an instant unless it exists.
-- $1 instant
SELECT landfall.ensure_delivery_partition(($1::timestamptz AT TIME ZONE 'UTC')::date) IS NULL AS ensured;
