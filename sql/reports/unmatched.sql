-- How many notifications have device events but no provider answer (yet)?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours.
-- Grain: one row. No campaign is known before the answer, so it is one number per window.

SELECT coalesce(sum(unmatched), 0)::bigint AS unmatched
  FROM landfall.unmatched_rollup
 WHERE app_id = $1
   AND quarter >= $2 AND quarter < $3;
