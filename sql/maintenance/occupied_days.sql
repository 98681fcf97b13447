-- Which UTC days have notifications that are still here? The start of each day, the oldest first.
--
-- LIMIT keeps the planner from reading all notifications: one row per partition is enough.
SELECT known.day
  FROM (SELECT to_date(substr(child.relname, 10), 'YYYYMMDD')::timestamp AT TIME ZONE 'UTC' AS day
          FROM pg_inherits
          JOIN pg_class AS child ON child.oid = pg_inherits.inhrelid
         WHERE pg_inherits.inhparent = 'landfall.delivery'::regclass
           AND child.relname ~ '^delivery_\d{8}$') AS known
 CROSS JOIN LATERAL (SELECT 1
                       FROM landfall.delivery
                      WHERE sent_at >= known.day AND sent_at < known.day + interval '24 hours'
                      LIMIT 1) AS occupant
 ORDER BY known.day;
