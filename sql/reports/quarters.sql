-- How much was sent in each quarter hour, and what became of it?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours.
-- Grain: one row per quarter hour of sent_at in which anything was sent, in time.

SELECT quarter,
       sum(attempted)::bigint AS attempted,
       sum(accepted)::bigint  AS accepted,
       sum(confirmed)::bigint AS confirmed,
       sum(clicked)::bigint   AS clicked
  FROM landfall.delivery_rollup
 WHERE app_id = $1
   AND quarter >= $2 AND quarter < $3
 GROUP BY quarter
 ORDER BY quarter;
