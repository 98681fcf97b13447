-- Makes the daily partition that holds an instant.
-- $1 instant
SELECT landfall.ensure_delivery_partition(($1::timestamptz AT TIME ZONE 'UTC')::date) IS NULL AS ensured;
