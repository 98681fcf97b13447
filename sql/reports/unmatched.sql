-- How many notifications have device events but no provider response (yet), and how many did the app show by itself?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours.
-- Grain: one row. No campaign is known before the response, so these are numbers of the whole window.

SELECT coalesce(sum(unmatched), 0)::bigint AS unmatched,
       coalesce(sum(local), 0)::bigint     AS local
  FROM landfall.unmatched_rollup
 WHERE app_id = $1
   AND quarter >= $2 AND quarter < $3;
