-- Was any notification that an app sent in a window dropped? The counters of dropped days stay and tell.
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), $4 notifications sent before this instant were dropped.
-- Grain: one row.

SELECT coalesce(sum(attempted), 0) > 0 AS were_dropped
  FROM landfall.delivery_rollup
 WHERE app_id = $1
   AND quarter >= $2 AND quarter < least($3::timestamptz, $4::timestamptz);
