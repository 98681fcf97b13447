-- How many notifications have device events but no provider response, and how many have a response?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours, $4 the bit of
--             notifications that the app showed by itself.
-- Grain: one row.

SELECT coalesce(sum(notifications) FILTER (WHERE NOT measure.attempted AND state & $4 = 0), 0)::bigint AS unmatched,
       coalesce(sum(notifications) FILTER (WHERE measure.attempted), 0)::bigint                         AS attempted
  FROM landfall.headline_by_quarter AS counter
 CROSS JOIN LATERAL landfall.measures(counter.state) AS measure
 WHERE app_id = $1 AND quarter >= $2 AND quarter < $3;
