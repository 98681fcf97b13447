-- Drops the partition of one UTC day and records that in landfall.retention. $1 an instant of the day
SELECT landfall.drop_delivery_partition(($1::timestamptz AT TIME ZONE 'UTC')::date) IS NULL AS was_dropped;
