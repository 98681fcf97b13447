-- Packing: without the gaps in their pages, days that few events still change take half the room.

-- name: packable_days
-- Which days would take less room if they were packed, the latest first? Those that were never packed, and
-- those that have since grown by half. The start of each UTC day; none that is closed or belongs to another
-- role, and none on Citus, which allows no triggers.
-- $1 days that ended by this instant, $2 days that take at least this many bytes
SELECT day
  FROM (SELECT day, pg_total_relation_size(oid) AS bytes,
               substring(obj_description(oid, 'pg_class') FROM '^Packed to (\d+) bytes')::bigint AS packed_bytes
          FROM ({{delivery_days}}) AS child
         WHERE pg_has_role(relowner, 'USAGE')) AS known
 WHERE NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')
   AND day >= coalesce((SELECT kept_from FROM landfall.retention), '-infinity')
   AND day + interval '24 hours' <= $1 AND bytes >= $2 AND bytes > coalesce(packed_bytes * 3 / 2, 0)
 ORDER BY day DESC;

-- name: pack_partition
-- Does the next step of packing one UTC day. One row: begun, copied, caught_up or packed.
-- $1 an instant of the day
SELECT landfall.pack_delivery_partition(($1::timestamptz AT TIME ZONE 'UTC')::date) AS step;
