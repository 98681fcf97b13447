-- How many notifications have device events but no provider answer, and how many have an answer?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours.
-- Grain: one row.

SELECT coalesce((SELECT sum(unmatched)
                   FROM landfall.unmatched_rollup
                  WHERE app_id = $1 AND quarter >= $2 AND quarter < $3), 0)::bigint AS unmatched,
       coalesce((SELECT sum(attempted)
                   FROM landfall.delivery_rollup
                  WHERE app_id = $1 AND quarter >= $2 AND quarter < $3), 0)::bigint AS attempted;
