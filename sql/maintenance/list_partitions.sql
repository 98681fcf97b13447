-- Which days have a partition of delivery? The start of each UTC day, the oldest first.
SELECT to_date(substr(child.relname, 10), 'YYYYMMDD')::timestamp AT TIME ZONE 'UTC' AS day
  FROM pg_inherits
  JOIN pg_class AS child ON child.oid = pg_inherits.inhrelid
 WHERE pg_inherits.inhparent = 'landfall.delivery'::regclass
   AND child.relname ~ '^delivery_\d{8}$'
 ORDER BY day;
